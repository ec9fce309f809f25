import { useEffect, useState } from 'react'
import { PRINT_LANGUAGES, TARGET_STATES } from '#kit/print/bridge/bridge.ts'
import type { Dots } from '#kit/print/units.ts'
import { Button } from '#web/controls/Button.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { BridgeNote, useLink } from '#web/print/BridgeNote.tsx'
import { chooseDevice, chosenDevices, DEVICE_KINDS, type Device, deviceKinds } from '#web/print/devices.ts'
import type { RunWay } from '#web/print/print-run.ts'
import { firstWay, type Way, waysOf } from '#web/print/transport.ts'
import styles from './batch.module.css'

/** Printers of labels are drawn for as coarse as they are; sheets are fine. */
const SHEET_DOTS = 24

/** The ways to paper that there are now, and the one that is chosen. */
export function useWays(chosen: string | null) {
  const link = useLink()
  const [devices, setDevices] = useState<readonly Device[]>([])
  useEffect(() => {
    chosenDevices().then(setDevices, () => setDevices([]))
  }, [])
  const canPrint = link.state === 'ready' && link.caps.includes('label')
  const ways = waysOf(canPrint ? (link.desk?.targets ?? []) : [], devices, ['tspl', 'zpl', 'pdf'])
  const way = ways.find(({ key }) => key === chosen) ?? firstWay(ways, link.desk?.defaults.label)
  return {
    ways,
    way,
    onSheets: way !== undefined && isOnSheets(way),
    dots: dotsOf(way),
    /** A device was chosen. */
    renew: async () => setDevices(await chosenDevices()),
  }
}

const isOnSheets = (way: Way): boolean =>
  way.kind === 'bridge' ? way.target.language === 'pdf' : way.kind !== 'device'

function dotsOf(way: Way | undefined): Dots {
  if (!way || isOnSheets(way)) return SHEET_DOTS
  return way.kind === 'bridge' ? way.target.calibration.dots : 8
}

export function runWayOf(way: Way): RunWay {
  if (way.kind === 'bridge') return { kind: 'bridge', target: way.target.id, name: way.target.name }
  if (way.kind === 'device')
    return { kind: 'device', key: way.device.key, name: way.device.name, language: way.language }
  return { kind: way.kind, name: way.kind === 'pdf' ? '下载 PDF' : '浏览器打印' }
}

function wordsOf(way: Way): [name: string, note: string] {
  if (way.kind === 'device')
    return [way.device.name, `标签机，逐张打印 · ${PRINT_LANGUAGES[way.language]} · 由浏览器直连`]
  if (way.kind !== 'bridge')
    return way.kind === 'browser'
      ? ['A4 纸，用浏览器打印', '打开浏览器的打印窗口，打印时选“实际大小”']
      : ['A4 纸，下载 PDF', '保存文件，稍后再打印']
  const { name, language, state } = way.target
  const how = language === 'pdf' ? 'A4 纸，逐张打印' : '标签机，逐张打印'
  return [name, `${how} · ${PRINT_LANGUAGES[language]} · ${TARGET_STATES[state]}`]
}

type Props = ReturnType<typeof useWays> & { onChange: (key: string) => void }

export function WayPart({ ways, way, renew, onChange }: Props) {
  return (
    <>
      <BridgeNote kind="label" settings />
      <Choice
        look="stack"
        label="打印方式"
        value={way?.key}
        onChange={onChange}
        options={ways.map(one => {
          const [name, note] = wordsOf(one)
          return {
            value: one.key,
            label: (
              <span className={styles.way}>
                {name}
                <small>{note}</small>
              </span>
            ),
          }
        })}
      />
      {deviceKinds().length > 0 && (
        <div className={styles.acts}>
          {deviceKinds().map(kind => (
            <Button
              key={kind}
              kind="link"
              onClick={async () => {
                if (await chooseDevice(kind)) await renew()
              }}
            >
              选择{kind === 'usb' && ' '}
              {DEVICE_KINDS[kind]}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
