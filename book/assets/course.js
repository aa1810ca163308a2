// Small repairs that the style sheet alone cannot make.
(() => {
  // What scrolls sideways can be reached and moved with the keyboard; what does not is no stop.
  // The theme does this for code and tables once, but not in answers that are opened later.
  const markScrolling = () => {
    for (const element of document.querySelectorAll("article :is(.math, pre)")) {
      // By rounding, a formula in the text may seem a pixel too wide. It scrolls only when marked.
      const rounding = element.matches("span.math") ? 1 : 0;
      const scrolls = element.scrollWidth > element.clientWidth + rounding;
      element.tabIndex = scrolls ? 0 : -1;
      element.classList.toggle("scrolls", scrolls);
    }
  };

  // The arrows of the side bar are pictures: this gives them a name.
  const nameArrows = () => {
    for (const summary of document.querySelectorAll(".bd-sidebar-primary summary")) {
      const chapter = summary.closest("li").querySelector("a").textContent.trim();
      summary.setAttribute("aria-label", `Pages below ${chapter}`);
    }
  };

  // Search results quote the pages they found. A page opened from a file may not read others.
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY &&= location.protocol !== "file:";

  // Paper does not scroll: an equation that is wider than a page of A4 is set smaller.
  const equations = () => document.querySelectorAll("article div.math");
  const fitEquations = () => {
    for (const equation of equations()) {
      equation.style.maxWidth = "36rem";
      const { width } = equation.querySelector("mjx-math").getBoundingClientRect();
      equation.style.fontSize = `${Math.min(1, equation.clientWidth / width)}em`;
    }
  };

  // On paper every answer is open. Afterwards the page is as the reader left it.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not(.hide, [open])")];
    for (const details of opened) details.open = true;
    fitEquations();
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    for (const equation of equations()) equation.style.cssText = "";
  });

  document.addEventListener("DOMContentLoaded", nameArrows);
  window.addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    const article = document.querySelector("article");
    if (article) new ResizeObserver(markScrolling).observe(article);
  });
})();
