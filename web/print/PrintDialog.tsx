import { useEffect, useId, useRef, useState } from 'react'
import {
  BRIDGE_LIMITS,
  DRAWN,
  FAILURES,
  type Failure,
  MAYBE_PRINTED,
  PRINT_KINDS,
  PRINT_LANGUAGES,
  PRINT_MODES,
  PRINT_WORDS,
  TARGET_STATES,
  type Target,
  UNCALIBRATED,
  WAITS,
} from '#kit/print/bridge/bridge.ts'
import { refusalOf } from '../client/api.ts'
import { Button } from '../controls/Button.tsx'
import { toast } from '../controls/toast.ts'
import { Check } from '../form/Check.tsx'
import { Choice } from '../form/Choice.tsx'
import { CloseButton, Dialog } from '../form/Dialog.tsx'
import { TextInput } from '../form/TextField.tsx'
import { BridgeNote, useLink } from './BridgeNote.tsx'
import { cancelJob, type Ended, type Step, sendJob, setDefault } from './bridge-link.ts'
import {
  chooseDevice,
  chosenDevices,
  DEVICE_KINDS,
  DEVICE_UNREACHED,
  type Device,
  DeviceFailure,
  deviceKinds,
} from './devices.ts'
import styles from './print.module.css'
import { firstWay, languagesOf, type PrintJob, printPdf, savePdf, type Way, waysOf } from './transport.ts'

type Phase =
  | { what: 'ask' }
  /** Of the way that was chosen then. */
  | { what: 'lost'; key: string; said: string; dotsHelp: boolean }
  | { what: 'sending'; id: string; said: string }
  | { what: 'failed'; said: string; maybe: boolean }

/** Printer, copies, and how it goes, in words. */
export default function PrintDialog({ job, onClose }: { job: PrintJob; onClose: () => void }) {
  const link = useLink()
  const [devices, setDevices] = useState<readonly Device[]>([])
  const [chosen, setChosen] = useState<string | null>(null)
  const [copies, setCopies] = useState(String(job.copies))
  const [byDefault, setByDefault] = useState(false)
  const [phase, setPhase] = useState<Phase>({ what: 'ask' })
  // Closed, it goes on and ends in a message.
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    chosenDevices().then(setDevices, () => setDevices([]))
    return () => {
      isOpen.current = false
    }
  }, [])
  const canPrint = link.state === 'ready' && link.caps.includes(job.kind)
  const ways = waysOf(canPrint ? (link.desk?.targets ?? []) : [], devices, languagesOf(job))
  const way = ways.find(({ key }) => key === chosen) ?? firstWay(ways, link.desk?.defaults[job.kind])
  const most = way?.kind === 'bridge' ? (link.desk?.copiesMost ?? 1) : BRIDGE_LIMITS.copies
  const count = Number(copies)
  const wrong = count >= 1 && count <= most ? null : `份数为 1 到 ${most}`
  const counts = way?.kind === 'bridge' || way?.kind === 'device'
  const isDefault = way?.kind === 'bridge' && link.desk?.defaults[job.kind] === way.target.id
  const show = (next: Phase) => isOpen.current && setPhase(next)
  const end = () => isOpen.current && onClose()

  const lost = phase.what === 'lost' && phase.key === way?.key ? phase : null
  /** `meant`: what is lost by it was told. */
  const submit = async (meant?: 'so' | 'dots') => {
    if (!way || phase.what === 'sending' || (counts && wrong)) return
    const loss = meant ? null : lossOf(way, job)
    if (loss) return show({ what: 'lost', key: way.key, ...loss })
    const id = crypto.randomUUID()
    if (byDefault && way.kind === 'bridge') setDefault(job.kind, way.target.id)
    show({ what: 'sending', id, said: '正在准备打印内容' })
    try {
      const failed = await send(meant === 'dots' ? asDots(way) : way, job, id, count, said =>
        show({ what: 'sending', id, said }),
      )
      if (failed === null) return end()
      if (!isOpen.current) toast.error(failed.said)
      show({ what: 'failed', ...failed })
    } catch (error) {
      const said = refusalOf(error)?.message ?? (error as Error).message
      show({ what: 'failed', said: `${PRINT_WORDS.missing}：${said}`, maybe: false })
    }
  }

  const footer =
    phase.what === 'sending' ? (
      <>
        {way?.kind === 'bridge' && <Button onClick={() => cancelJob(phase.id)}>取消打印</Button>}
        <CloseButton>在后台继续</CloseButton>
      </>
    ) : (
      <>
        <CloseButton />
        {lost?.dotsHelp && (
          <Button changes={false} disabled={counts && wrong} onClick={() => submit('so')}>
            仍按文字打印
          </Button>
        )}
        <Button
          kind="primary"
          changes={false}
          disabled={(counts && wrong) || (!way && '没有可用的打印方式')}
          onClick={() => submit(lost ? (lost.dotsHelp ? 'dots' : 'so') : undefined)}
        >
          {lost ? lostDeedOf(lost, way) : phase.what === 'failed' ? againOf(phase) : deedOf(way)}
        </Button>
      </>
    )
  return (
    <Dialog
      title={`打印${PRINT_KINDS[job.kind]}`}
      width={520}
      dirty={false}
      onClose={onClose}
      footer={footer}
    >
      <div className={styles.dialog}>
        <p className={styles.what}>{job.name}</p>
        <BridgeNote kind={job.kind} settings />
        {phase.what !== 'sending' && (
          <>
            <Choice
              look="stack"
              label="打印方式"
              value={way?.key}
              onChange={setChosen}
              options={ways.map(one => ({ value: one.key, label: <WayWords way={one} /> }))}
            />
            <div className={styles.deeds}>
              {deviceKinds().map(kind => (
                <Button
                  key={kind}
                  kind="link"
                  onClick={async () => {
                    if (await chooseDevice(kind)) setDevices(await chosenDevices())
                  }}
                >
                  选择{kind === 'usb' && ' '}
                  {DEVICE_KINDS[kind]}
                </Button>
              ))}
            </div>
            {counts && (
              <Copies value={copies} onChange={setCopies} wrong={wrong} onEnter={() => void submit()} />
            )}
            {way?.kind === 'bridge' && !isDefault && (
              <Check checked={byDefault} onChange={setByDefault}>
                设为{PRINT_KINDS[job.kind]}的默认打印机
              </Check>
            )}
          </>
        )}
        <p className={styles.said} role="status" data-busy={phase.what === 'sending' || undefined}>
          {phase.what === 'sending' && phase.said}
        </p>
        <p className={styles.problem} role="alert">
          {phase.what === 'failed' ? phase.said : lost?.said}
        </p>
      </div>
    </Dialog>
  )
}

type Loss = { said: string; dotsHelp: boolean }

/** What would not come out right, and whether dots would do better; null: nothing. */
function lossOf(way: Way, { lost = () => [] }: PrintJob): Loss | null {
  const language = way.kind === 'bridge' ? way.target.language : way.kind === 'device' ? way.language : 'pdf'
  const speech = way.kind === 'bridge' ? (way.target.speech ?? DRAWN) : DRAWN
  const here = lost(language, speech)
  if (here.length === 0) return null
  if (speech.mode !== 'text')
    return { said: `字库里没有 ${some(here)}，会打成方框，请改掉后再打。`, dotsHelp: false }
  const drawn = lost(language, DRAWN)
  if (drawn.length >= here.length)
    return { said: `这台打印机没有 ${some(here)}，会打成「？」，请改掉后再打。`, dotsHelp: false }
  const left = drawn.length === 0 ? '不缺字' : `只缺 ${some(drawn)}`
  const said = `这台打印机按文字打印时没有 ${some(here)}，会打成「？」；按点阵打印${left}，但慢一些。`
  return { said, dotsHelp: true }
}

const SHOWN_LOST = 10
const some = (lost: readonly string[]) =>
  lost.slice(0, SHOWN_LOST).join(' ') + (lost.length > SHOWN_LOST ? ` 等 ${lost.length} 个字符` : '')

const lostDeedOf = ({ dotsHelp }: Loss, way: Way | undefined) =>
  dotsHelp ? '改按点阵打印' : `仍要${deedOf(way)}`

const asDots = (way: Way): Way =>
  way.kind === 'bridge' ? { ...way, target: { ...way.target, speech: DRAWN } } : way

const againOf = ({ maybe }: Failed) => (maybe ? '仍要再打一次' : '重试')
const deedOf = (way: Way | undefined) => (way?.kind === 'pdf' ? '下载 PDF' : '打印')

type Failed = { said: string; maybe: boolean }

/** Null: it is on its way to paper. */
async function send(
  way: Way,
  job: PrintJob,
  id: string,
  copies: number,
  say: (said: string) => void,
): Promise<Failed | null> {
  if (way.kind === 'bridge') {
    const { language, calibration, speech = DRAWN, id: target } = way.target
    const data = await job.bytesFor(language, calibration, speech)
    say(PRINT_WORDS.accepted)
    const sent = { id, target, kind: job.kind, name: job.name, copies, data }
    const ended = await sendJob(sent, step => say(wordsOf(step)))
    if (ended.state === 'done') toast.success(PRINT_WORDS.done)
    return failureOf(ended)
  }
  if (way.kind === 'device') {
    const bytes = await job.bytesFor(way.language, UNCALIBRATED, DRAWN)
    say(PRINT_WORDS.accepted)
    return sendToDevice(way.device, bytes, copies)
  }
  const bytes = await job.bytesFor('pdf', UNCALIBRATED, DRAWN)
  // The dialog goes at once: how it goes on says the browser's window, or its list of downloads.
  toast.info(PRINT_WORDS.accepted)
  if (way.kind === 'pdf') savePdf(bytes, job.name)
  else await printPdf(bytes, job.name)
  return null
}

/** What broke off is not begun again by itself: a person looks at what is on paper. */
async function sendToDevice(device: Device, bytes: Uint8Array, copies: number): Promise<Failed | null> {
  for (let copy = 0; copy < copies; copy += 1)
    try {
      await device.write(bytes)
    } catch (error) {
      if (!(error instanceof DeviceFailure)) throw error
      const maybe = error.begun || copy > 0
      const printed = copy > 0 ? `（已打出 ${copy} 份）` : ''
      const why = maybe ? `${FAILURES.broken}${printed}` : DEVICE_UNREACHED
      return { said: `${PRINT_WORDS.missing}：${why}`, maybe }
    }
  toast.success(PRINT_WORDS.done)
  return null
}

const wordsOf = (step: Step) => (step.state === 'waiting' ? WAITS[step.reason] : PRINT_WORDS.accepted)

function failureOf(ended: Ended): Failed | null {
  if (ended.state === 'done') return null
  const reason: Failure = ended.reason
  const detail = ended.detail && reason === 'printer' ? `（${ended.detail}）` : ''
  const said =
    reason === 'kind-unknown' ? PRINT_WORDS.old : `${PRINT_WORDS.missing}：${FAILURES[reason]}${detail}`
  return { said, maybe: MAYBE_PRINTED.includes(reason) }
}

const wordsOfTarget = ({ language, state, speech }: Target) =>
  [
    PRINT_LANGUAGES[language],
    TARGET_STATES[state],
    ...(speech?.mode === 'text' ? [PRINT_MODES.text] : []),
  ].join(' · ')

function WayWords({ way }: { way: Way }) {
  const [name, note] =
    way.kind === 'bridge'
      ? [way.target.name, wordsOfTarget(way.target)]
      : way.kind === 'device'
        ? [way.device.name, `${PRINT_LANGUAGES[way.language]} · 由浏览器直连`]
        : way.kind === 'browser'
          ? ['浏览器打印', '打开浏览器的打印窗口，选择系统里的打印机']
          : ['下载 PDF', '保存文件，稍后再打印']
  return (
    <span className={styles.way}>
      {name}
      <small>{note}</small>
    </span>
  )
}

type CopiesProps = {
  value: string
  onChange: (text: string) => void
  wrong: string | null
  onEnter: () => void
}

function Copies({ value, onChange, wrong, onEnter }: CopiesProps) {
  const id = useId()
  return (
    <div className={styles.copies}>
      <label htmlFor={id}>份数</label>
      <TextInput
        id={id}
        digits
        inputMode="numeric"
        maxLength={4}
        unit="份"
        value={value}
        onChange={onChange}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // The dialog may stand in a form, which is not what is meant.
          event.preventDefault()
          onEnter()
        }}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? `${id}-note` : undefined}
      />
      {wrong && (
        <p id={`${id}-note`} className={styles.problem}>
          {wrong}
        </p>
      )}
    </div>
  )
}
