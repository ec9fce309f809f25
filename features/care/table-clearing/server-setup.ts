// Whether the point of sale's own data can be reached.
import type { SetupStep } from '#server/ctx.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'table-clearing.pos',
    label: '收银系统数据服务',
    for: 'operator',
    permission: 'tableClearing.clear',
    order: 80,
    optional: true,
    path: '/admin/tool/clearTable',
    async read({ services }) {
      const { by, needs } = services.providers.connections.pos
      if (by === 'settings') return { state: 'done', words: '已接入，可以备份和清空商户的数据' }
      return {
        state: 'open',
        words:
          by === 'simulator'
            ? '现在是模拟的收银系统，改不到商户的真实数据：加上设置后重启。'
            : '没有接入：不能为商户备份、清空和恢复收银数据。不做这项服务可以不接。',
        path: null,
        settings: needs,
      }
    },
  },
]
