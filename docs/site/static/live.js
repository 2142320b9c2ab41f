// Brings the widgets of a page to life without a kernel. The build has kept the script and the traits
// of each, and its script needs nothing else.

import { Model } from "./model.js";
import { followTheme } from "./theme.js";

const NEAR = "600px"; // a widget is loaded when it comes this near to the screen

async function unpacked(address) {
  const stream = (await fetch(address)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function loadStyle(address) {
  if (document.querySelector(`link[href="${address}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: address }));
}

async function enliven(place) {
  const address = new URL(place.dataset.widget, document.baseURI);
  const { script, style, traits } = await unpacked(address);
  loadStyle(new URL(style, address).href);
  const { default: widget } = await import(new URL(script, address).href);
  const model = new Model(traits);
  await widget.initialize?.({ model });
  const el = document.createElement("div");
  place.append(el);
  await widget.render({ model, el, signal: new AbortController().signal });
  place.classList.add("is-live");
}

/** What is wider than the page scrolls with the arrow keys, once it has the focus. */
function letKeysScroll() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      if (isWide) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const wide = "pre, .output, .formula, .table-wrapper, [style*='overflow-x']";
  for (const element of document.querySelectorAll(wide)) observer.observe(element);
}

followTheme();
letKeysScroll();
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    enliven(target).catch((error) => console.error(error));
  }
}, { rootMargin: NEAR });
for (const place of document.querySelectorAll("[data-widget]")) observer.observe(place);
