import { useEffect, useRef } from 'react'
import { busyWhile } from '#web/client/ready.ts'
import styles from './captcha.module.css'

type Props = {
  kind: 'geetest' | 'tencent'
  site: Record<string, string>
  onProof: (proof: Record<string, string>) => void
  onClose: () => void
  /** Its script does not come, or does not work: ours stands in. */
  onUnreachable: () => void
}

type Geetest = {
  onSuccess(then: () => void): Geetest
  onError(then: () => void): Geetest
  onClose(then: () => void): Geetest
  appendTo(place: HTMLElement): Geetest
  getValidate(): Record<string, string> | false
  destroy(): void
}
type TencentAnswer = { ret: number; ticket?: string; randstr?: string }
type Tencent = { show(): void; destroy(): void }
/** Neither script could be tried where this was written: their pages document these calls. */
type Vendors = {
  initGeetest4?: (options: object, then: (puzzle: Geetest) => void) => void
  TencentCaptcha?: new (
    place: HTMLElement,
    appId: string,
    then: (answer: TencentAnswer) => void,
    options: object,
  ) => Tencent
}

const WAIT_MS = 8_000

/** A third party's own puzzle, inside our dialog: what lies beside it cannot be reached. */
export default function VendorPuzzle(props: Props) {
  const latest = useRef(props)
  latest.current = props
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { kind, site } = latest.current
    const gone = new AbortController()
    busyWhile(loadScript(site.script ?? '', gone.signal))
      .then(() => {
        if (place.current)
          (kind === 'geetest' ? showGeetest : showTencent)(place.current, latest, gone.signal)
      })
      .catch(() => {
        // Not ignored: whoever opened this asks for another puzzle.
        if (!gone.signal.aborted) latest.current.onUnreachable()
      })
    return () => gone.abort()
  }, [])
  return <div ref={place} className={styles.captchaVendor} />
}

type Latest = { readonly current: Props }

function showGeetest(place: HTMLElement, latest: Latest, gone: AbortSignal): void {
  const { site } = latest.current
  const { initGeetest4 } = globalThis as Vendors
  if (!initGeetest4) throw new Error('the script brought no puzzle')
  initGeetest4({ captchaId: site.captchaId, product: 'float', language: 'zho' }, puzzle => {
    if (gone.aborted) return puzzle.destroy()
    gone.addEventListener('abort', () => puzzle.destroy())
    puzzle
      .appendTo(place)
      .onSuccess(() => {
        const proof = puzzle.getValidate()
        if (proof) latest.current.onProof(textsOf(proof))
      })
      .onError(() => latest.current.onUnreachable())
      .onClose(() => latest.current.onClose())
  })
}

const CLOSED = 2

function showTencent(place: HTMLElement, latest: Latest, gone: AbortSignal): void {
  const { site } = latest.current
  const { TencentCaptcha } = globalThis as Vendors
  if (!TencentCaptcha) throw new Error('the script brought no puzzle')
  const puzzle = new TencentCaptcha(
    place,
    site.captchaAppId ?? '',
    ({ ret, ticket = '', randstr = '' }) => {
      if (ret === CLOSED) latest.current.onClose()
      // A ticket that its script makes up while the service is down proves nothing.
      else if (ret !== 0 || /^tr?error_/.test(ticket)) latest.current.onUnreachable()
      else latest.current.onProof({ ticket, randstr })
    },
    { type: 'embed' },
  )
  gone.addEventListener('abort', () => puzzle.destroy())
  puzzle.show()
}

function textsOf(proof: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(proof).map(([name, value]) => [name, String(value)]))
}

function loadScript(address: string, gone: AbortSignal): Promise<void> {
  if (document.querySelector(`script[src="${CSS.escape(address)}"]`)) return Promise.resolve()
  const script = document.createElement('script')
  return new Promise((resolve, reject) => {
    const fail = () => {
      // Asked for again, it is loaded again.
      script.remove()
      reject(new Error('the script did not come'))
    }
    const late = setTimeout(fail, WAIT_MS)
    gone.addEventListener('abort', () => {
      clearTimeout(late)
      fail()
    })
    script.onload = () => {
      clearTimeout(late)
      resolve()
    }
    script.onerror = () => {
      clearTimeout(late)
      fail()
    }
    script.src = address
    document.head.append(script)
  })
}
