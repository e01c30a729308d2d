/** Two arches under one sun: the arcade of a public square, and an m. */
export const Logo = ({ size = 32 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flexShrink: 0 }}>
    <rect width="32" height="32" rx="8" fill="var(--mantine-color-iznik-7)" />
    <path fill="#fff" d="M6.5 26V16a4.25 4.25 0 0 1 8.5 0v10zM17 26V16a4.25 4.25 0 0 1 8.5 0v10z" />
    <circle cx="16" cy="7.6" r="2.1" fill="#ffb454" />
  </svg>
)
