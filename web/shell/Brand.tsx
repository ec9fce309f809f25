/** The program's sign. */
export function Brand({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent-fill)" />
      <path
        d="M7 17V7h5.2a3.4 3.4 0 0 1 0 6.8H10"
        fill="none"
        stroke="var(--on-fill)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
