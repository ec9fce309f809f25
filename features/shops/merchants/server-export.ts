import type { List } from '#kit/declare/list.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { type ExportPlan, fileColumns, serveDownload } from '#server/documents/export.ts'
import type { Condition } from '#server/list.ts'
import { merchantDownloads } from './contract.ts'
import { MY_MERCHANTS, OVERDUE_MERCHANTS } from './fields.ts'
import { conditionsOf, overdueConditions, ROW, type Sorting, selectForExport } from './server-list.ts'

export const merchantsDownload = serveDownload(merchantDownloads.list, planExport)

function planExport(ctx: Ctx, input: DownloadIn<typeof merchantDownloads.list>): ExportPlan {
  const { columns, sort, order, ...filters } = input
  return planRows(ctx, conditionsOf(ctx, filters), { sort, order }, { list: MY_MERCHANTS, columns })
}

export const overdueDownload = serveDownload(
  merchantDownloads.overdue,
  (ctx, { columns, sort, order, ...filters }: DownloadIn<typeof merchantDownloads.overdue>) =>
    planRows(ctx, overdueConditions(ctx, filters), { sort, order }, { list: OVERDUE_MERCHANTS, columns }),
)

/** The file of a list of shops with the chosen columns. */
export function planRows(
  ctx: Ctx,
  conditions: readonly Condition[],
  sorting: Sorting,
  { list, columns }: { list: List; columns: string | undefined },
): ExportPlan {
  return { ...selectForExport(ctx, conditions, sorting), ...fileColumns(list, ROW, columns) }
}
