// Applies the stored theme before the first paint. Without one, the system setting applies.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // The browser blocks storage.
}
