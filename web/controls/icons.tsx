import type { ReactNode, SVGProps } from 'react'

type Props = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: 16 | 20 }

/** Line icons on a grid of 16. */
function glyph({ size = 16, ...rest }: Props, shape: ReactNode) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {shape}
    </svg>
  )
}
export const IconBack = (props: Props) => glyph(props, <path d="M13 8H3m4-4L3 8l4 4" />)
export const IconBell = (props: Props) =>
  glyph(
    props,
    <path d="M8 2a3.6 3.6 0 0 0-3.6 3.6c0 3.4-1.4 4.6-1.4 5.4h10c0-.8-1.4-2-1.4-5.4A3.6 3.6 0 0 0 8 2ZM6.6 13.2a1.5 1.5 0 0 0 2.8 0" />,
  )
export const IconInbox = (props: Props) =>
  glyph(props, <path d="M2.5 9.5 4.2 3h7.6l1.7 6.5V13h-11zm0 0h3.2l.9 1.7h2.8l.9-1.7h3.2" />)
export const IconPhone = (props: Props) =>
  glyph(
    props,
    <path d="M5.6 2.6 3.8 3c-.8.2-1.3.9-1.2 1.7.5 4.6 4.1 8.2 8.7 8.7.8.1 1.5-.4 1.7-1.2l.4-1.8-2.6-1.3-1.4 1.4a7 7 0 0 1-3.9-3.9l1.4-1.4Z" />,
  )
export const IconScan = (props: Props) =>
  glyph(props, <path d="M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M2.5 8h11" />)
export const IconClock = (props: Props) =>
  glyph(
    props,
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3l2 1.6" />
    </>,
  )
export const IconClose = (props: Props) => glyph(props, <path d="m4 4 8 8m0-8-8 8" />)
export const IconColumns = (props: Props) => glyph(props, <path d="M2.5 3h11v10h-11zM6.2 3v10m3.6-10v10" />)
export const IconDensity = (props: Props) =>
  glyph(props, <path d="M2.5 3h11m-11 3.3h11m-11 3.4h11m-11 3.3h11" />)
export const IconDocument = (props: Props) =>
  glyph(props, <path d="M4 2h5.5L12 4.5V14H4V2Zm2 5.5h4M6 10.5h4" />)
export const IconDown = (props: Props) => glyph(props, <path d="m4 6 4 4 4-4" />)
export const IconDownload = (props: Props) =>
  glyph(props, <path d="M8 2.5v7.5m0 0L5 7m3 3 3-3M2.5 13.5h11" />)
export const IconDrag = (props: Props) =>
  glyph(props, <path d="M6 4h.01M6 8h.01M6 12h.01M10 4h.01M10 8h.01M10 12h.01" strokeWidth={2} />)
export const IconEye = (props: Props) =>
  glyph(
    props,
    <>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.8" />
    </>,
  )
export const IconEyeOff = (props: Props) =>
  glyph(
    props,
    <path d="M3 3l10 10M6.4 3.7A6 6 0 0 1 8 3.5C12 3.5 14.5 8 14.5 8a12 12 0 0 1-1.7 2.2M4.4 4.9A11 11 0 0 0 1.5 8S4 12.5 8 12.5a6 6 0 0 0 3-.8" />,
  )
export const IconFilter = (props: Props) => glyph(props, <path d="M2 4h12M4.2 8h7.6M6.4 12h3.2" />)
export const IconFold = (props: Props) =>
  glyph(props, <path d="M2.5 3h11v10h-11zM6.3 3v10m4.2-6.5L9 8l1.5 1.5" />)
export const IconFull = (props: Props) =>
  glyph(props, <path d="M2.5 6V2.5H6m4 0h3.5V6m0 4v3.5H10m-4 0H2.5V10" />)
export const IconFullEnd = (props: Props) =>
  glyph(props, <path d="M6 2.5V6H2.5m11 0H10V2.5m0 11V10h3.5m-11 0H6v3.5" />)
export const IconGroup = (props: Props) => glyph(props, <path d="M2.5 4.5h4l1.2 1.5h5.8v7h-11z" />)
export const IconHome = (props: Props) => glyph(props, <path d="M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5" />)
export const IconMenu = (props: Props) => glyph(props, <path d="M2.5 4h11m-11 4h11m-11 4h11" />)
export const IconMessage = (props: Props) =>
  glyph(props, <path d="M2.5 3h11v8H8.2L5 13.6V11H2.5zM5.2 6h5.6M5.2 8.3h3.6" />)
export const IconMoon = (props: Props) =>
  glyph(props, <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z" />)
export const IconMore = (props: Props) =>
  glyph(props, <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2.2} />)
export const IconOperations = (props: Props) =>
  glyph(props, <path d="M2.5 13.5h11M4 11V7.5m4 3.5V3m4 8V5.5" />)
export const IconTag = (props: Props) =>
  glyph(props, <path d="M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8ZM5.6 5.6h.01" />)
export const IconPrint = (props: Props) =>
  glyph(props, <path d="M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7Z" />)
export const IconPlace = (props: Props) =>
  glyph(
    props,
    <path d="M8 14.2S3 10.3 3 6.7a5 5 0 0 1 10 0c0 3.6-5 7.5-5 7.5ZM8 8.4a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z" />,
  )
export const IconShare = (props: Props) =>
  glyph(props, <path d="M8 10V2.2m0 0L5.2 5M8 2.2 10.8 5M4.5 7.2H3v6.3h10V7.2h-1.5" />)
export const IconRefresh = (props: Props) =>
  glyph(props, <path d="M13.5 8A5.5 5.5 0 1 1 11.6 3.8M13.5 2.5v3h-3" />)
export const IconRenew = (props: Props) =>
  glyph(props, <path d="M3 6.5h10V13H3V6.5Zm0 0V3.5h10v3M5.5 2v2.5M10.5 2v2.5M6 9.8l1.4 1.3L10 8.6" />)
export const IconSearch = (props: Props) =>
  glyph(props, <path d="M11 11l3 3M7 12.2A5.2 5.2 0 1 0 7 1.8a5.2 5.2 0 0 0 0 10.4Z" />)
export const IconShop = (props: Props) =>
  glyph(
    props,
    <path d="M2.5 6.5 3.6 3h8.8l1.1 3.5a1.9 1.9 0 0 1-3.7 0 1.9 1.9 0 0 1-3.6 0 1.9 1.9 0 0 1-3.7 0ZM3.5 8.3v4.9h9V8.3" />,
  )
export const IconStar = (props: Props) =>
  glyph(props, <path d="m8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4-2.9-2.8 4-.6L8 2.2Z" />)
export const IconSun = (props: Props) =>
  glyph(
    props,
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.3m0 10.4v1.3m6.5-6.5h-1.3M2.8 8H1.5m11.1-4.6-.9.9m-7.4 7.4-.9.9m9.2 0-.9-.9M4.3 4.3l-.9-.9" />
    </>,
  )
export const IconSystem = (props: Props) => glyph(props, <path d="M2 3h12v8H2zM5.5 13.5h5M8 11v2.5" />)
export const IconHelp = (props: Props) =>
  glyph(
    props,
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.3 6.4A1.8 1.8 0 0 1 8 5c1 0 1.8.7 1.8 1.6 0 1.2-1.8 1.4-1.8 2.6M8 11.2v.1" />
    </>,
  )
export const IconTool = (props: Props) =>
  glyph(
    props,
    <path d="M9.6 6.4 3.2 12.8m6.4-6.4a3 3 0 0 0 3.9-3.9l-1.9 1.9-1.5-.5-.5-1.5 1.9-1.9A3 3 0 0 0 9.6 6.4Z" />,
  )
export const IconTopUp = (props: Props) =>
  glyph(
    props,
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5.4v5.2M5.4 8h5.2" />
    </>,
  )
export const IconUser = (props: Props) =>
  glyph(
    props,
    <path d="M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8Zm-5 5.4c.4-2.3 2.4-3.6 5-3.6s4.6 1.3 5 3.6" />,
  )
export const IconView = (props: Props) => glyph(props, <path d="M4 2.5h8v11L8 10.3l-4 3.2z" />)
export const IconWallet = (props: Props) =>
  glyph(
    props,
    <path d="M13 5.5V3.2H3.6A1.1 1.1 0 0 0 2.5 4.3v8.2h11v-7H3.6a1.1 1.1 0 0 1-1.1-1.2M10.8 9h.01" />,
  )
