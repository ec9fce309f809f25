import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useThemeMode } from '../theme/theme-mode.ts'
import styles from './Chart.module.css'
import type { ChartProps, ChartTone } from './chart-props.ts'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

const COLORS: Record<ChartTone, string> = {
  accent: '--accent',
  done: '--success',
  attention: '--warning',
  problem: '--danger',
  neutral: '--faint',
}

/** The bars on a canvas. Drawn anew when the theme, the size or the figures change. */
export default function ChartBars(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(null)
  const latest = useRef(props)
  latest.current = props
  const mode = useThemeMode()
  useEffect(() => {
    if (!place.current) return
    const drawn = init(place.current)
    chart.current = drawn
    drawn.on('click', event => latest.current.onPick?.(event.dataIndex, event.seriesIndex ?? 0))
    pickColumns(drawn, latest)
    const watch = new ResizeObserver(() => drawn.resize())
    watch.observe(place.current)
    return () => {
      watch.disconnect()
      drawn.dispose()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which the mode changes.
  useEffect(() => {
    chart.current?.setOption(optionOf(props), { notMerge: true })
  }, [props, mode])
  return <div ref={place} className={styles.chartBars} />
}

/** A low bar is hard to hit: its whole column, which the pointer shades, leads to where its highest part leads. */
function pickColumns(drawn: EChartsType, latest: { readonly current: ChartProps }): void {
  const columnAt = (x: number, y: number): number | null => {
    if (!drawn.containPixel('grid', [x, y])) return null
    const [at] = drawn.convertFromPixel('grid', [x, y]) as number[]
    return at ?? null
  }
  drawn.getZr().on('mousemove', ({ offsetX, offsetY }) => {
    const picks = latest.current.onPick !== undefined && columnAt(offsetX, offsetY) !== null
    drawn.getZr().setCursorStyle(picks ? 'pointer' : 'default')
  })
  drawn.getZr().on('click', ({ offsetX, offsetY, target }) => {
    const column = target ? null : columnAt(offsetX, offsetY)
    if (column === null) return
    const values = latest.current.series.map(one => one.values[column] ?? 0)
    latest.current.onPick?.(column, values.indexOf(Math.max(...values)))
  })
}

function optionOf({ unit, labels, series, stacked, format, onPick }: ChartProps) {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const text = { color: color('--muted'), fontFamily: style.getPropertyValue('--font'), fontSize: 12 }
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    animation: !still,
    animationDuration: 180,
    textStyle: text,
    grid: { left: 8, right: 8, top: 12, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      // Text on the canvas: a tooltip of HTML would carry styles that the page's policy refuses.
      renderMode: 'richText',
      axisPointer: { type: 'shadow' },
      backgroundColor: color('--raised'),
      borderColor: color('--line'),
      textStyle: { ...text, color: color('--text') },
      valueFormatter: (value: unknown) => `${format(Number(value))} ${unit}`,
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      axisTick: { show: false },
      axisLine: { lineStyle: { color: color('--line') } },
      axisLabel: text,
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      // Numbers are whole: pieces, or the smallest unit of an amount.
      minInterval: 1,
      splitLine: { lineStyle: { color: color('--line') } },
      axisLabel: { ...text, formatter: (value: number) => format(value) },
    },
    series: series.map(one => ({
      type: 'bar',
      name: one.name,
      data: [...one.values],
      ...(stacked ? { stack: 'all' } : {}),
      itemStyle: { color: color(COLORS[one.tone]), borderRadius: stacked ? 0 : [2, 2, 0, 0] },
      barMaxWidth: 28,
      cursor: onPick ? 'pointer' : 'default',
    })),
  }
}
