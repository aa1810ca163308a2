"""Skip-gram and CBOW with a full softmax, and the gradients that the lecture derives."""

from course_lib.word_vectors.word2vec.cbow import cbow_gradients, cbow_loss
from course_lib.word_vectors.word2vec.corpus import SkipGram, corpus_gradients, corpus_loss
from course_lib.word_vectors.word2vec.skipgram import skipgram_gradients, skipgram_loss
from course_lib.word_vectors.word2vec.windows import cbow_examples, context_windows, skipgram_pairs

__all__ = [
    "SkipGram",
    "cbow_examples",
    "cbow_gradients",
    "cbow_loss",
    "context_windows",
    "corpus_gradients",
    "corpus_loss",
    "skipgram_gradients",
    "skipgram_loss",
    "skipgram_pairs",
]
