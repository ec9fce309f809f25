import styles from './Spark.module.css'

type Props = {
  values: readonly number[]
  /** What it is compared with, drawn faint behind. */
  before: readonly number[]
}

const [WIDTH, HEIGHT] = [120, 32]

/** A small line beside a figure, of the same days as another: for the eye alone, the words stand beside it. */
export function Spark({ values, before }: Props) {
  const all = [...values, ...before]
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)]
  const days = Math.max(values.length, before.length, 2)
  const pointsOf = (line: readonly number[]) =>
    line
      .map((value, i) => {
        const y = high === low ? HEIGHT - 1 : HEIGHT - 1 - ((value - low) / (high - low)) * (HEIGHT - 2)
        return `${((i / (days - 1)) * WIDTH).toFixed(1)},${y.toFixed(1)}`
      })
      .join(' ')
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline className={styles.before} points={pointsOf(before)} />
      <polyline points={pointsOf(values)} />
    </svg>
  )
}
