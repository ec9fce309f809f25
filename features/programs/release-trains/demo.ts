// Demo rows of releases: one that has come to its end, and one that has halted by itself.
import { demoStaff } from '#features/office/access/demo.ts'
import { demoPrograms } from '#features/programs/program-versions/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { BARS, reasonKeyOf, type TrainShopState, type TrainState } from './rules.ts'
import { releaseTrainShops, releaseTrains } from './tables.ts'

type Made = {
  name: string
  tag: 'minApp' | 'order'
  state: TrainState
  reason?: string
  days: number
  shops: readonly { name: string; state: TrainShopState; reason?: string }[]
}
const MADE: readonly Made[] = [
  {
    ...{ name: '商城与积分 2.1.0', tag: 'minApp', state: 'finished', days: 5 },
    shops: [
      { name: '清茶积分小店', state: 'released' },
      { name: '老街好物商城', state: 'skipped', reason: BARS.TO_RELEASE },
    ],
  },
  {
    ...{ name: '扫码点餐 2.1.0', tag: 'order', state: 'halted', days: 0.5 },
    reason: '1 家已有结果，其中 1 家未通过（100%），超过 20%',
    shops: [
      {
        ...{ name: '湘味小厨点餐', state: 'refused' },
        reason: '首页未展示经营者的食品经营许可信息，请补充后重新提交',
      },
      { name: '江边鱼馆点餐', state: 'skipped', reason: BARS.IN_AUDIT },
    ],
  },
]
const VERSION = { templateId: 2, version: '2.1.0' }

export function demo(demo: Demo): void {
  const by = demoStaff(demo)
  demo.history.at(demo.now, () => {
    for (const { name, tag, state, reason = '', days, shops } of MADE) {
      const at = ago(demo, days)
      const train = demo.history.add(releaseTrains, {
        ...{ ...VERSION, name, tag, state, reason, filter: {}, wave: 1, waves: 1, shops: shops.length },
        ...{ waveSize: 50, haltPercent: 20, haltFrom: 1, changedAt: at, createdAt: ago(demo, days + 0.4) },
        ...{ createdBy: by.id, createdByName: by.name },
      })
      for (const shop of shops) {
        const program = demoPrograms(demo).get(shop.name)
        if (!program) continue
        const { reason = '' } = shop
        demo.history.add(releaseTrainShops, {
          ...{ ...VERSION, ...program, trainId: train.id, wave: 1, state: shop.state, changedAt: at },
          ...{ reason, reasonKey: reason === '' ? '' : reasonKeyOf(reason) },
        })
      }
    }
  })
}
