// Runs before the first paint, so that a dark screen never flashes white. The policy forbids inline scripts.
{
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
