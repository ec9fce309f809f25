// Made-up labels, repeatable: any item anywhere, of any size, style and content.
import type { Label, LabelData, LabelItem } from '#kit/print/label.ts'
import { defaultsOf, LABEL_ITEMS } from '#kit/print/label-items.ts'
import { MEMBER_LEVELS, SAMPLES, type SampleKey } from '#kit/print/samples.ts'
import { umOfMm } from '#kit/print/units.ts'
import { WASHING_KEYS } from '#kit/print/washing.ts'
import { makeRandom, type Random } from '#kit/random.ts'

export type Layout = { label: Label; data: LabelData }

const TEXTS = ['精选好茶，自然生长', 'AVATAR To fit 1/2', '限时特惠！￥9.90', 'fi ffl “引号” ①℃', '㎡·—…']
const LINKS = ['https://a.cn/1', 'https://例子.cn/商品?编号=10086', '会员价abc123', '^ECI 100%']

export function randomLayout(seed: number): Layout {
  const random = makeRandom(seed)
  const label = {
    width: umOfMm(30 + random.whole(71)),
    height: umOfMm(20 + random.whole(61)) + random.whole(1_000),
    background: null,
  }
  const items = Array.from({ length: 1 + random.whole(7) }, (_, at) =>
    randomItem(random, label, `item ${at}`),
  )
  const data = SAMPLES[random.pick(Object.keys(SAMPLES) as SampleKey[])]
  return { label: { ...label, items }, data }
}

function randomItem(random: Random, label: Omit<Label, 'items'>, id: string): LabelItem {
  const item = defaultsOf(random.pick(LABEL_ITEMS), id)
  return {
    ...item,
    title: item.key === 'customText' ? random.pick(TEXTS) : item.title,
    left: random.whole(Math.round(label.width * 0.8)),
    top: random.whole(Math.round(label.height * 0.9)),
    fontSize: 5 + random.whole(26),
    fontStyle: random.pick([0, 1, 4, 5] as const),
    displayModel: random.pick([1, 2] as const),
    dateModel: random.pick([1, 2, 3] as const),
    dateTimeModel: random.pick([1, 2, 3] as const),
    showUnit: random.chance(0.5),
    codeDisplay: random.pick([1, 2, 3] as const),
    barWidth: random.pick([1, 2] as const),
    barHeight: umOfMm(3 + random.whole(15)),
    qrKind: random.pick([1, 2, 3] as const),
    qrUrl: random.pick(LINKS),
    qrSize: umOfMm(8 + random.whole(20)),
    memberLevel: random.chance(0.5) ? random.pick(MEMBER_LEVELS).id : null,
    washing: WASHING_KEYS.filter(() => random.chance(0.3)),
    washingDisplay: random.pick([1, 2, 3] as const),
    iconSize: umOfMm(3 + random.whole(8)),
    width: random.chance(0.4) ? umOfMm(5 + random.whole(40)) : null,
    fit: random.pick(['run', 'shrink', 'wrap', 'cut'] as const),
  }
}
