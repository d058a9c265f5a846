// Before the first paint: the theme chosen here, where one was chosen. Without a choice the system's applies.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
