// Whether a page is dark, as the widgets' styles need it: by the reader's choice, else by the system.

/** The widgets' styles look for JupyterLab's mark of a dark page. */
export function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const mark = () => {
    const { theme } = document.body.dataset;
    const isDark = theme === "dark" || (theme !== "light" && dark.matches);
    document.body.dataset.jpThemeLight = String(!isDark);
  };
  dark.addEventListener("change", mark);
  new MutationObserver(mark).observe(document.body, { attributeFilter: ["data-theme"] });
  mark();
}
