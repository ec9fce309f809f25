import type { Alignment } from '#kit/print/edit/align.ts'

const icon = (d: string) => (
  <svg
    viewBox="0 0 16 16"
    width={16}
    height={16}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={d} />
  </svg>
)

export const IconLocked = () => icon('M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5')
export const IconUnlocked = () => icon('M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 4.8-1')
export const IconUndo = () => icon('M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6')
export const IconRedo = () => icon('m10 3 3 3-3 3m3-3H6.5a3.5 3.5 0 0 0 0 7H10')
export const IconCopy = () => icon('M6 6h7v7H6zM10 6V3H3v7h3')
export const IconPaste = () => icon('M6 3H4v10h8V3h-2M6 2h4v2.5H6zM6.2 8h3.6m-3.6 2.5h3.6')
export const IconRemove = () => icon('M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 9h6l.5-9M7 7v4m2-4v4')
export const IconFront = () => icon('M3 3h7v7H3zM12 6h1v7H6v-1')
export const IconBackward = () => icon('M6 6h7v7H6zM4 10H3V3h7v1')
export const IconZoomIn = () =>
  icon('M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L13.5 13.5M5 7h4M7 5v4')
export const IconZoomOut = () => icon('M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L13.5 13.5M5 7h4')
export const IconFit = () => icon('M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10')
export const IconGrid = () => icon('M2.5 2.5h11v11h-11zM2.5 6.2h11m-11 3.6h11M6.2 2.5v11m3.6-11v11')
export const IconMagnet = () => icon('M3 2.5h3V8a2 2 0 0 0 4 0V2.5h3V8A5 5 0 0 1 3 8zM3 5h3m4 0h3')
export const IconGuides = () => icon('M5.5 2v12M2 10.5h12M9 5.5h3m-1.5-1.5v3')
export const IconWarning = () => icon('M8 2.5 14 13H2zM8 6.5v3m0 1.8v.1')
export const IconDone = () => icon('m3 8.5 3.2 3.2L13 5')

export const ALIGN_ICONS: Record<Alignment, React.ReactNode> = {
  left: icon('M2.5 2v12M5 4.5h8.5v2.5H5zM5 9.5h5V12H5z'),
  center: icon('M8 2v2.5m0 2.5v2.5M8 12v2M3.5 4.5h9V7h-9zM5.5 9.5h5V12h-5z'),
  right: icon('M13.5 2v12M2.5 4.5H11V7H2.5zM6 9.5h5V12H6z'),
  top: icon('M2 2.5h12M4.5 5H7v8.5H4.5zM9.5 5H12v5H9.5z'),
  middle: icon('M2 8h2.5M7 8h2.5M12 8h2M4.5 3.5H7v9H4.5zM9.5 5.5H12v5H9.5z'),
  bottom: icon('M2 13.5h12M4.5 2.5H7V11H4.5zM9.5 6H12v5H9.5z'),
}
export const SPREAD_ICONS = {
  distributeX: icon('M2.5 2v12M13.5 2v12M6 5h4v6H6z'),
  distributeY: icon('M2 2.5h12M2 13.5h12M5 6h6v4H5z'),
  gapX: icon('M2.5 4h2.5v8H2.5zM11 4h2.5v8H11zM6 8h4m-4 0 1-1m-1 1 1 1m3-1-1-1m1 1-1 1'),
  gapY: icon('M4 2.5h8V5H4zM4 11h8v2.5H4zM8 6v4m0-4-1 1m1-1 1 1m-1 3-1-1m1 1 1-1'),
} as const
