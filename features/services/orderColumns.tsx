import type { ListColumn } from '#web/list/ListPage.tsx'

type Look<Row> = Partial<Omit<ListColumn<Row>, 'key' | 'title'>>

/** For vendor staff, who see all agents' orders. */
export function agentColumn<Row extends { agentId: number; agentName: string }>(
  layout: Look<Row> = {},
): ListColumn<Row> {
  const text = (row: Row) => `${row.agentName}（${row.agentId}）`
  return {
    key: 'agentName',
    title: '代理商',
    width: 244,
    copy: text,
    render: text,
    card: 'fact',
    ...layout,
  }
}
