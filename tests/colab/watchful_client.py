"""A client of a kernel that overlooks no reply, where jupyter_client's own one may.

A live figure makes nbclient send a message on the channel on which it waits for the kernel's
reply. jupyter_client sends it past the event loop, and that can swallow the notice that the reply
is there. Then nbclient looks again when its timeout is over, minutes later.
"""

import math
import time
from queue import Empty

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from traitlets import Type

INTERVAL = 1  # seconds


class WatchfulChannel(AsyncZMQSocketChannel):
    """A channel that is looked at each second, with or without a notice."""

    async def get_msg(self, timeout: float | None = None) -> dict:
        """Wait for a message.

        Args:
            timeout: seconds to wait; without it, for ever.

        Raises:
            Empty: if none came in this time.
        """
        end = time.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            left = max(0, end - time.monotonic())
            try:
                return await super().get_msg(min(INTERVAL, left))
            except Empty:
                if left <= INTERVAL:
                    raise


class WatchfulClient(AsyncKernelClient):
    """A client whose replies come through a watchful channel."""

    shell_channel_class = Type(WatchfulChannel)
