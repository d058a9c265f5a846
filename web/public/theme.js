// Applies the stored theme before the first paint. Without one, the system setting applies.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
