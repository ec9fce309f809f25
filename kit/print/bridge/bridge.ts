// Owns what the page and the desk's print program are to each other: limits, version, words of every state.
// Pure and without zod, since the page loads it; the shapes of messages are in bridge-messages.ts.

/** What is printed decides the printer that is offered first. */
export const PRINT_KINDS = { label: '标签', receipt: '小票' } as const
export type PrintKind = keyof typeof PRINT_KINDS
export const PRINT_KIND_KEYS = Object.keys(PRINT_KINDS) as [PrintKind, ...PrintKind[]]

/** What a printer understands. */
export const PRINT_LANGUAGES = {
  tspl: 'TSPL（标签机）',
  zpl: 'ZPL（标签机）',
  escpos: 'ESC/POS（小票机）',
  pdf: 'PDF（普通打印机）',
} as const
export type PrintLanguage = keyof typeof PRINT_LANGUAGES
export const PRINT_LANGUAGE_KEYS = Object.keys(PRINT_LANGUAGES) as [PrintLanguage, ...PrintLanguage[]]

/** What a printer is sent: dots, or words that it sets in its own letters. */
export const PRINT_MODES = { raster: '点阵', text: '文字（快）' } as const
export type PrintMode = keyof typeof PRINT_MODES
export const PRINT_MODE_KEYS = Object.keys(PRINT_MODES) as [PrintMode, ...PrintMode[]]
const WORDS = '按文字发送：用打印机自带的字库和条码，数据少、出纸快，字形与预览略有不同'
/** What the choice means, said beside it. */
export function printModeHelp(language: PrintLanguage, { mode, font }: Speech): string {
  if (mode === 'raster') return '按图形发送：与预览完全一致，任何文字都能打出'
  if (language === 'escpos') return `${WORDS}；字库没有的字打成问号`
  const drawn = `${WORDS}；打印机没有的字号和图形仍按点阵打出`
  if (language !== 'zpl' || font !== null) return drawn
  return `${drawn}。这台打印机没有设置中文字库（config.json 的 font），中文仍按点阵打出`
}
/** How a printer is spoken to. `font` is its Chinese font in ZPL; null: what is Chinese is drawn. */
export type Speech = { mode: PrintMode; font: string | null }
export const DRAWN: Speech = { mode: 'raster', font: null }

/**
 * How a printer misses: what it prints is moved by so many micrometres and grown to so many ten-thousandths (10,000 = as
 * drawn). `dots` a millimetre is its resolution.
 */
export type Calibration = {
  dots: 8 | 12 | 24
  offsetX: number
  offsetY: number
  scaleX: number
  scaleY: number
}
export const UNCALIBRATED: Calibration = { dots: 8, offsetX: 0, offsetY: 0, scaleX: 10_000, scaleY: 10_000 }
export const CALIBRATION_LIMITS = { offset: 20_000, scaleLeast: 9_000, scaleMost: 11_000 } as const

/** The port that the program listens on and the page's policy allows; on 127.0.0.1 alone. */
export const BRIDGE_PORT = 17_531
/** What page and program speak. A program that speaks an older one is to be replaced. */
export const BRIDGE_VERSION = 1
export const BRIDGE_PROGRAM = '1.2.0'
/** What the program can do beside the kinds that it prints. */
export const BRIDGE_CAPS = ['label', 'receipt', 'calibration', 'reprint', 'mode'] as const

const MEBIBYTE = 1_048_576
export const BRIDGE_LIMITS = {
  /** Of the data of one job. */
  dataMost: 8 * MEBIBYTE,
  /** Of a message: the data as text, and what stands around it. */
  messageMost: 11 * MEBIBYTE,
  /** Of a message before the token was shown. */
  strangerMost: 2_048,
  /** Of all that a connection sends before. */
  strangerBytes: 65_536,
  /** Of what a page was told and has not read. */
  unreadMost: MEBIBYTE,
  copies: 500,
  name: 80,
  id: 80,
  /** Messages of a connection a second, and how many it may send at once. */
  rate: 100,
  burst: 200,
  /** Messages of no known shape after which the connection is ended. */
  faults: 20,
  connections: 16,
  /** Of those, pages that ask to be paired. */
  asks: 4,
  /** Connections of any kind, also those that say nothing. */
  sockets: 64,
  waiting: 1_000,
  /** Of data of all jobs that wait, on the disk. */
  waitingBytes: 256 * MEBIBYTE,
  logRows: 100,
} as const
/** `askMinutes`: how long a page that asks to be paired waits for the person at the desk. */
export const PAIRING = { digits: 8, minutes: 10, tries: 5, askMinutes: 2 } as const
/** Where a page of any office may ask to be paired; everything else is for those that are. */
export const ASK_PATH = '/pair'

/** Why a connection was ended, as the code of its end. */
export const CLOSED = { unpaired: 4401, refused: 4400, tooMany: 4429, tooLate: 4408 } as const

export const TARGET_WAYS = {
  file: '文件夹',
  tcp: '网络（9100）',
  cups: 'CUPS 打印队列',
  serial: '串口 / USB 设备',
  spool: 'Windows 打印机',
} as const
export type TargetWay = keyof typeof TARGET_WAYS
export const TARGET_STATES = { ready: '就绪', offline: '连不上', unknown: '未检测', busy: '打印中' } as const
export type TargetState = keyof typeof TARGET_STATES

/** A printer as the page knows it: where it stands, the program alone knows. */
export type Target = {
  id: string
  name: string
  way: TargetWay
  language: PrintLanguage
  state: TargetState
  /** Jobs that wait for it. */
  waiting: number
  calibration: Calibration
  /** An older program says nothing of it: it is sent dots. */
  speech?: Speech
}
export type Defaults = { label: string | null; receipt: string | null }
export type Desk = { targets: readonly Target[]; defaults: Defaults; copiesMost: number }

export const WAITS = {
  offline: '打印机连不上，连上后会自动继续',
  stalled: '打印机没有反应，请检查是否缺纸、开盖或暂停',
} as const
export type Wait = keyof typeof WAITS

/** Why a job failed. Those that may be on paper all the same say so. */
export const FAILURES = {
  cancelled: '已取消',
  broken: '打印机中途断开，可能已打出一部分，请核对后再打',
  interrupted: '打印程序中途退出，可能已经打出，请核对后再打',
  printer: '打印机报错',
  expired: '打印机长时间连不上，已放弃',
  'target-unknown': '打印程序里没有这台打印机',
  'copies-too-many': '份数超过打印程序允许的上限',
  'too-large': '打印内容过大',
  'id-reused': '任务编号已用于其他内容',
  'queue-full': '等待的任务过多，请稍后再打',
  'data-gone': '内容已清理，不能重打',
  'kind-unknown': '请下载最新客户端',
} as const
export type Failure = keyof typeof FAILURES
/** What failed so may be on paper: nothing prints it again by itself. */
export const MAYBE_PRINTED: readonly Failure[] = ['broken', 'interrupted', 'cancelled']

export type JobState = 'accepted' | 'printing' | 'done' | 'failed'
export const JOB_STATES = {
  accepted: '等待打印',
  printing: '正在打印',
  done: '已打印',
  failed: '失败',
} as const
export type JobRow = {
  id: string
  target: string
  targetName: string
  kind: PrintKind
  name: string
  copies: number
  byteSize: number
  sha256: string
  state: JobState
  reason: Failure | null
  detail: string
  at: string
  /** Whether its data is still there to be printed again. */
  kept: boolean
}

/** Why a page is not let in. `tries`: of the pairing code, no more are left. */
export const UNPAIRED = {
  token: '此电脑的打印程序还没有与本后台配对',
  code: '配对码不对',
  expired: '配对码已过期，请在打印程序里重新生成',
  tries: '输错次数过多，请在打印程序里重新生成配对码',
  none: '打印程序没有等待配对，请先在它的窗口里生成配对码',
  refused: '打印程序的页面上点了拒绝',
  late: '打印程序的页面上没有人点允许，请再试一次',
} as const
export type Unpaired = keyof typeof UNPAIRED

/** What the program says. */
export type BridgeAnswer =
  | ({ type: 'welcome'; version: number; program: string; caps: readonly string[] } & Desk)
  | ({ type: 'desk' } & Desk)
  | { type: 'paired'; token: string }
  | { type: 'asked'; code: string }
  | { type: 'unpaired'; reason: Unpaired; left: number }
  | { type: 'accepted'; id: string }
  | { type: 'printing'; id: string }
  | { type: 'waiting'; id: string; reason: Wait }
  | { type: 'done'; id: string; sha256: string }
  | { type: 'failed'; id: string; reason: Failure; detail: string }
  | { type: 'unknown'; id: string }
  | { type: 'log'; rows: readonly JobRow[] }
  | { type: 'refused'; reason: string }

/** How the page stands to the program. */
export const BRIDGE_STATES = {
  connecting: { word: '正在连接', help: '正在寻找本机的打印程序' },
  ready: { word: '已连接', help: '' },
  unpaired: {
    word: '未配对',
    help: '点“请求配对”，在打印程序的页面上允许；也可以填它显示的 8 位配对码。每台电脑只需一次',
  },
  missing: {
    word: '未连接',
    help: '没有找到打印程序：请确认它已在这台电脑上启动；还没有安装的，请先下载安装',
  },
  asking: {
    word: '等待允许',
    help: '浏览器会询问是否允许本页访问这台电脑上的应用，请选择允许；询问已经关掉的，请点重新连接',
  },
  insecure: {
    word: '浏览器已拦截',
    help: '浏览器只让 https 的网页访问这台电脑上的程序：请用 https:// 开头的网址打开本后台',
  },
  blocked: {
    word: '浏览器已拦截',
    help: '浏览器不允许本页访问这台电脑：请点击地址栏左侧的图标，把“本地网络访问”改为允许，然后重新连接',
  },
  old: { word: '版本过旧', help: '请下载最新客户端' },
} as const
export type BridgeState = keyof typeof BRIDGE_STATES

/** The page where a desk is set up. */
export const PRINTERS_PATH = '/admin/template/printers'

/** What is told in one line of a job (D3 §8). */
export const PRINT_WORDS = {
  accepted: '正在打印，请稍等......',
  old: '请下载最新客户端',
  missing: '打印失败',
  done: '打印完成',
} as const

/** How the page stands to a program that lets it in and can or cannot do what is asked. */
export function stateOfWelcome(
  version: number,
  caps: readonly string[],
  needs: readonly string[],
): 'ready' | 'old' {
  return version >= BRIDGE_VERSION && needs.every(cap => caps.includes(cap)) ? 'ready' : 'old'
}
