type IconProps = { size: number; shapes: string[] }

/** Draws two of Lucide's icons. Its own code would be loaded on the sign-in page for them alone. */
const Icon = ({ size, shapes }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {shapes.map((shape) => (
      <path key={shape} d={shape} />
    ))}
  </svg>
)

export const AlertIcon = () => (
  <Icon size={20} shapes={['M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0 -20', 'M12 8v4', 'M12 16h.01']} />
)

export const RetryIcon = () => (
  <Icon size={16} shapes={['M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8', 'M21 3v5h-5']} />
)
