// What a chart is given, for the figure and for what draws its bars.

/** The colours of statuses; a chart has no others. */
export type ChartTone = 'accent' | 'done' | 'attention' | 'problem' | 'neutral'

export type ChartSeries = { name: string; tone: ChartTone; values: readonly number[] }

export type ChartProps = {
  title: string
  /** What the numbers are: 代币, 家. */
  unit: string
  labels: readonly string[]
  series: readonly ChartSeries[]
  /** One bar per label, of all series on top of each other; otherwise they stand side by side. */
  stacked?: boolean
  /** A number as people read it; also on the axis. */
  format: (value: number) => string
  /** The sum of all numbers stands beside the title. */
  withTotal?: boolean
  /** What is said instead where all numbers are 0. */
  emptyText?: string
  /** What the numbers count, said below. */
  hint?: string
  /** What a click on a bar opens. */
  onPick?: (label: number, series: number) => void
}
