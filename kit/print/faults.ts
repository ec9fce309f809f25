// What is wrong with a label before it is printed, and what would help.
import { fitsBars, wrongCheckDigit } from './codes.ts'
import { lackedOf } from './glyphs.ts'
import type { Label, LabelData, LabelItem } from './label.ts'
import { isBelow, type Laid, layItem, MODULE_MM, sceneOf } from './label-scene.ts'
import { around, type BarsMark, type Box, type Mark, markBox, quietZone } from './scene.ts'
import type { Press } from './text-marks.ts'
import { DOTS, type Dots, DPI, dotsOfUm, mmOfUm, type Um, umOfDots, umOfMm } from './units.ts'

/** Whether it stops publishing, and in how many words it is said. */
export const FAULTS = {
  codeWide: { stops: true, words: '条码超出标签' },
  codeFine: { stops: true, words: '条码太细，扫描枪读不出' },
  codeThin: { stops: false, words: '条码偏细，部分扫描枪读不出' },
  codeLow: { stops: false, words: '条码太矮，不易对准' },
  codeEmpty: { stops: true, words: '没有条码内容' },
  codeText: { stops: true, words: '条码里有中文等不能用的字符' },
  codeMuch: { stops: true, words: '内容太长，装不进二维码' },
  checkDigit: { stops: false, words: '校验位不对，按 Code 128 打印' },
  quiet: { stops: true, words: '条码四周留白不足' },
  textOut: { stops: true, words: '文字超出标签' },
  textCut: { stops: false, words: '文字放不下，末尾被省略' },
  glyph: { stops: true, words: '有字体里没有的字' },
  below: { stops: false, words: '在标签下边缘之外，保存时会被去掉' },
  outside: { stops: true, words: '超出标签边缘' },
  over: { stops: true, words: '压在其他元素上' },
  empty: { stops: true, words: '标签是空的，什么也打印不出来' },
} as const
export type FaultKind = keyof typeof FAULTS

export type Fault = {
  /** Null: of the whole label. */
  item: string | null
  kind: FaultKind
  /** Stops publishing, or is said alone. */
  stops: boolean
  /** What is wrong, with the item's name. */
  words: string
  /** What would help. */
  help: string
  /** Millimetres of the label, or of the code's side, that are enough. */
  leastMm?: number
  /** A finer printer that would do. */
  dots?: Dots
}

/** Modules below are missed by ordinary scanners. */
const FINE: Um = 190
/** Modules below are missed by some. */
const THIN: Um = 250
const LOW: Um = umOfMm(5)

/** With these data, at this resolution. Items that lie below the edge have no other fault. */
export function faultsOf(label: Label, data: LabelData, press: Press): Fault[] {
  const laid = label.items.map(item => ({ item, laid: layItem(item, label, data, press) }))
  const shown = laid.filter(({ item }) => !isBelow(item, label))
  const marks = shown.flatMap(each => each.laid.marks)
  const overs = oversOf(shown)
  const isCovered = ({ id }: LabelItem) =>
    overs.some(({ front, under }) => front.id === id || under.some(one => one.id === id))
  const faults = laid.flatMap(({ item, laid: own }) => {
    if (isBelow(item, label))
      return [fault(item, 'below', `往上移到 ${mm(label.height)} 毫米以内，或加高标签`)]
    const found = [
      ...contentFaults(item, own),
      ...own.marks.flatMap(mark => (mark.kind === 'bars' ? barsFaults(item, mark, label, marks, press) : [])),
      ...textFaults(item, own, label, press),
      ...edgeFaults(item, own, label),
      ...overs.filter(({ front }) => front === item).map(overFault),
    ]
    // Digits go where their bars go; and what lies on a code has taken its white as well.
    const isWide = found.some(({ kind }) => kind === 'codeWide')
    return found.filter(
      ({ kind }) => !(isWide && kind === 'textOut') && !(kind === 'quiet' && isCovered(item)),
    )
  })
  const isEmpty = marks.length === 0 && !faults.some(({ stops }) => stops)
  return isEmpty ? [EMPTY, ...faults] : faults
}

/** Nothing of it comes to paper, with none of the data. */
export const isEmptyLabel = (label: Label, all: readonly LabelData[], press: Press): boolean =>
  all.every(data => sceneOf(label, data, press).marks.length === 0)

const EMPTY: Fault = {
  ...{ item: null, kind: 'empty', ...FAULTS.empty },
  help: '添加至少一个能打印出内容的元素',
}

/** With each of the data; what is wrong with several is said once. */
export function faultsOfAll(label: Label, all: readonly LabelData[], press: Press): Fault[] {
  const found = new Map<string, Fault>()
  for (const data of all)
    for (const each of faultsOf(label, data, press)) {
      const key = `${each.item} ${each.kind}`
      const known = found.get(key)
      if (!known || (each.leastMm ?? 0) > (known.leastMm ?? 0)) found.set(key, each)
    }
  return [...found.values()]
}

function fault(item: LabelItem, kind: FaultKind, help: string, more: Partial<Fault> = {}): Fault {
  const { stops, words } = FAULTS[kind]
  return { item: item.id, kind, stops, words: `${item.name}：${codeWords(item, words)}`, help, ...more }
}

/** Of a QR code nobody says that it is bars. */
export const codeWords = ({ kind }: Pick<LabelItem, 'kind'>, words: string): string =>
  kind === 7 ? words.replaceAll('条码', '二维码') : words

/** Of one decimal place, never too small. */
const mm = (um: Um): number => Math.ceil(um / 100) / 10

function contentFaults(item: LabelItem, { content, marks }: Laid): Fault[] {
  if (content === null) return []
  if (content === '')
    return [
      fault(
        item,
        'codeEmpty',
        item.kind === 7 && item.qrKind === 3 ? '填写二维码链接' : '换一个有内容的商品，或去掉这一项',
      ),
    ]
  const right = item.kind === 4 ? wrongCheckDigit(content) : null
  if (right !== null) return [fault(item, 'checkDigit', `最后一位应为 ${right}，请核对条码`)]
  if (marks.length > 0) return []
  if (item.kind === 7) return [fault(item, 'codeMuch', '缩短链接')]
  return [
    fault(item, 'codeText', fitsBars(content) ? '缩短内容' : '只用英文字母、数字和半角符号，或改用二维码'),
  ]
}

/** Past the edge of the label its white is no question. */
function barsFaults(
  item: LabelItem,
  mark: BarsMark,
  label: Label,
  all: readonly Mark[],
  press: Press,
): Fault[] {
  const wide = wideFaults(item, mark, label)
  return [
    ...moduleFaults(item, mark, press),
    ...(wide.length > 0 ? wide : quietFaults(item, mark, label, all)),
  ]
}

function moduleFaults(item: LabelItem, mark: BarsMark, { dots }: Press): Fault[] {
  const faults: Fault[] = []
  const kind = mark.module < FINE ? 'codeFine' : mark.module < THIN ? 'codeThin' : null
  if (kind && item.kind === 7) {
    const modules = Math.round(mark.box.width / mark.module)
    const finer = DOTS.find(each => each > dots && qrModule(item.qrSize, modules, each) >= FINE)
    const least = mm(umOfDots(Math.ceil((THIN * dots) / 1_000) * modules, dots))
    const or = kind === 'codeFine' && finer ? `，或用 ${DPI[finer]} dpi 的打印机` : ''
    const more = kind === 'codeFine' && finer ? { dots: finer } : {}
    faults.push(
      fault(item, kind, `二维码边长至少 ${least} 毫米${or}；也可以缩短链接`, { leastMm: least, ...more }),
    )
  } else if (kind) faults.push(fault(item, kind, '把条码宽度改为 2'))
  if (item.kind === 4 && mark.box.height < LOW)
    faults.push(fault(item, 'codeLow', `条码高度至少 ${mmOfUm(LOW)} 毫米`, { leastMm: mmOfUm(LOW) }))
  return faults
}

const qrModule = (size: Um, modules: number, dots: Dots): Um =>
  umOfDots(Math.floor(dotsOfUm(size, dots) / modules), dots)

/** A label that is wide enough holds the white at the sides too. */
function wideFaults(item: LabelItem, mark: BarsMark, label: Label): Fault[] {
  const { left, top, width, height } = mark.box
  const isOut = left < 0 || top < 0 || left + width > label.width || top + height > label.height
  if (!isOut) return []
  const whole = width + mark.quiet.left + mark.quiet.right
  const least = mm(whole)
  if (whole <= label.width)
    return [
      fault(item, 'codeWide', `往${top < 0 || top + height > label.height ? '上下' : '左右'}移到标签以内`),
    ]
  const thinner = mm((whole * MODULE_MM[1]) / MODULE_MM[2])
  const or = item.kind === 4 && item.barWidth === 2 ? `，或把条码宽度改为 1（需要 ${thinner} 毫米）` : ''
  return [fault(item, 'codeWide', `标签至少宽 ${least} 毫米${or}；也可以缩短内容`, { leastMm: least })]
}

function quietFaults(item: LabelItem, mark: BarsMark, label: Label, all: readonly Mark[]): Fault[] {
  const { quiet } = mark
  const zone = quietZone(mark)
  const isOnLabel =
    zone.left >= 0 && zone.top >= 0 && right(zone) <= label.width && bottom(zone) <= label.height
  const near = all.find(other => other.item !== item.id && meets(markBox(other), zone))
  if (isOnLabel && !near) return []
  const sides = `左边 ${mm(quiet.left)} 毫米、右边 ${mm(quiet.right)} 毫米`
  const needed = quiet.end > 0 ? `四周各 ${mm(quiet.left)} 毫米` : sides
  const whole = mm(zone.width)
  const help = near
    ? `${needed}内不放其他内容`
    : zone.width > label.width
      ? `标签至少宽 ${whole} 毫米（${needed}留白）`
      : `离标签边缘留出${needed}`
  return [fault(item, 'quiet', help, { leastMm: whole })]
}

const right = ({ left, width }: Box) => left + width
const bottom = ({ top, height }: Box) => top + height
const meets = (one: Box, other: Box): boolean =>
  one.left < right(other) && other.left < right(one) && one.top < bottom(other) && other.top < bottom(one)

function textFaults(item: LabelItem, { marks, isCut }: Laid, label: Label, { glyphs }: Press): Fault[] {
  const texts = marks.filter(mark => mark.kind === 'text')
  const faults: Fault[] = []
  if (isCut) faults.push(fault(item, 'textCut', '缩小字号、加宽这一项，或改为换行、自动缩小'))
  const lacked = lackedOf(texts, glyphs)
  if (lacked.length > 0) faults.push(fault(item, 'glyph', `换掉：${lacked.slice(0, 10).join(' ')}`))
  const box = around(texts.map(markBox))
  if (!box) return faults
  if (right(box) > label.width) {
    const least = mm(right(box))
    const help = `标签至少宽 ${least} 毫米；也可以缩小字号、左移，或设为换行、自动缩小、省略`
    faults.push(fault(item, 'textOut', help, { leastMm: least }))
  } else if (bottom(box) > label.height) {
    const least = mm(bottom(box))
    faults.push(fault(item, 'textOut', `标签至少高 ${least} 毫米；也可以上移或缩小字号`, { leastMm: least }))
  } else if (box.left < 0 || box.top < 0) faults.push(fault(item, 'textOut', '移到标签以内'))
  return faults
}

type Shown = { item: LabelItem; laid: Laid }
/** An item, and those behind it that it lies on. */
type Over = { front: LabelItem; under: LabelItem[] }

/** Lines and frames that are drawn with characters lie over others on purpose, as the line through a former price. */
const DRAWN_LINES = /^[\s\p{Pd}\p{Pc}|/\\=~\u2500-\u25FF]+$/u
/** Letters do not fill their em; what meets by less than a dot is not seen. */
const EM_FREE = 0.12
const TOUCH: Um = 125

function oversOf(shown: readonly Shown[]): Over[] {
  const inked = shown.map(({ item, laid }) => {
    const boxes = laid.marks.flatMap(inkOf)
    return { item, boxes, whole: around(boxes) }
  })
  return inked.flatMap(({ item: front, boxes, whole }, at) => {
    const under = inked
      .slice(0, at)
      .filter(
        back =>
          whole !== null &&
          back.whole !== null &&
          covers(whole, back.whole) &&
          boxes.some(box => back.boxes.some(other => covers(box, other))),
      )
      .map(({ item }) => item)
    return under.length > 0 ? [{ front, under }] : []
  })
}

function inkOf(mark: Mark): Box[] {
  const box = markBox(mark)
  if (mark.kind !== 'text') return [box]
  if (DRAWN_LINES.test(mark.text)) return []
  const free = Math.round(mark.size * EM_FREE)
  return [{ ...box, top: box.top + free, height: box.height - 2 * free }]
}

/** By more than a dot, both ways. */
const covers = (one: Box, other: Box): boolean =>
  Math.min(right(one), right(other)) - Math.max(one.left, other.left) > TOUCH &&
  Math.min(bottom(one), bottom(other)) - Math.max(one.top, other.top) > TOUCH

function overFault({ front, under }: Over): Fault {
  const names = under.map(({ name }) => `「${name}」`).join('、')
  return {
    ...fault(front, 'over', '移开其中一个，或缩小字号、限定宽度'),
    words: `${front.name}：压在${names}上`,
  }
}

/** Icons; codes and text have words of their own. */
function edgeFaults(item: LabelItem, { marks }: Laid, label: Label): Fault[] {
  const box = around(marks.filter(mark => mark.kind === 'shape').map(markBox))
  if (!box) return []
  const isOut = box.left < 0 || box.top < 0 || right(box) > label.width || bottom(box) > label.height
  return isOut ? [fault(item, 'outside', '移到标签以内，或缩小图标')] : []
}
