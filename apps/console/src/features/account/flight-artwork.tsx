import type { ReactNode } from 'react'

/** Decorative artwork of the login page: arcs from one origin to many destinations, above a grid. */
export function FlightArtwork({ className }: { className?: string | undefined }): ReactNode {
  return (
    <svg
      className={className}
      viewBox="0 0 800 900"
      preserveAspectRatio="xMaxYMin slice"
      aria-hidden
      fill="none"
    >
      <defs>
        <pattern id="dots" width="28" height="28" patternUnits="userSpaceOnUse">
          <circle cx="2" cy="2" r="1.1" fill="#fff" opacity="0.16" />
        </pattern>
        <linearGradient id="arc" x1="0" y1="1" x2="1" y2="0">
          <stop offset="0" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#fff" stopOpacity="0.75" />
        </linearGradient>
        <linearGradient id="fade" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0.35" stopColor="#fff" />
          <stop offset="0.8" stopColor="#fff" stopOpacity="0" />
        </linearGradient>
        <mask id="above">
          <rect width="800" height="900" fill="url(#fade)" />
        </mask>
      </defs>
      <g mask="url(#above)">
        <rect width="800" height="900" fill="url(#dots)" />
      </g>
      <g stroke="url(#arc)" strokeWidth="1.6">
        {arcs.map(([x, y]) => (
          <path
            key={`${x} ${y}`}
            d={`M90 640 C ${x * 0.35 + 60} ${y - 40}, ${x * 0.7} ${y - 90}, ${x} ${y}`}
          />
        ))}
      </g>
      {arcs.map(([x, y, size]) => (
        <Envelope key={`${x} ${y}`} x={x} y={y} size={size} />
      ))}
      <circle cx="90" cy="640" r="5" fill="#fff" />
      <circle cx="90" cy="640" r="14" stroke="#fff" strokeOpacity="0.35" strokeWidth="1.5" />
    </svg>
  )
}

/** Destinations: x, y, and the size of the envelope. */
const arcs = [
  [250, 250, 44],
  [420, 130, 36],
  [545, 300, 60],
  [690, 160, 48],
  [720, 430, 38],
] as const

function Envelope({ x, y, size }: { x: number; y: number; size: number }): ReactNode {
  return (
    <g transform={`translate(${x - size / 2} ${y - size * 0.35}) scale(${size / 40})`}>
      <rect width="40" height="28" rx="5" fill="#fff" fillOpacity="0.96" />
      <path
        d="M6 8 L20 17.500 L34 8"
        stroke="var(--emma-accent)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  )
}
