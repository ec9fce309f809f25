// The files of work orders: what pictures are for, and what their lists are written as.
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import type { FilePurposes } from '#server/files.ts'
import { workOrdersDownloads } from './contract.ts'
import { ALL_WORK_ORDERS, WORK_ORDERS } from './fields.ts'
import { WORK_ORDER_PICTURE, WORK_ORDER_PICTURE_KB } from './rules.ts'
import { allConditions, ownConditions, ROW, selectForFile } from './server-rows.ts'

export const WORK_ORDER_FILES: FilePurposes = {
  [WORK_ORDER_PICTURE]: {
    permission: 'workOrders.list',
    log: '上传工单图片',
    shared: false,
    most: WORK_ORDER_PICTURE_KB,
    usedBy: [{ table: 'work_order_pictures', column: 'file_id' }],
  },
}

export const workOrdersDownload = serveDownload(
  workOrdersDownloads.list,
  (ctx, { columns, sort, order, ...filters }) => ({
    ...selectForFile(ctx, ownConditions(ctx, filters), { sort, order }),
    ...fileColumns(WORK_ORDERS, ROW, columns),
  }),
)

export const allWorkOrdersDownload = serveDownload(
  workOrdersDownloads.all,
  (ctx, { columns, sort, order, ...filters }) => ({
    ...selectForFile(ctx, allConditions(ctx, filters), { sort, order }),
    ...fileColumns(ALL_WORK_ORDERS, ROW, columns),
  }),
)
