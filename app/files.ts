// What pictures may be uploaded for, by whom, who sees them, and where their ids are kept.
import type { FilePurposes } from '#server/files.ts'

export const FILE_PURPOSES: FilePurposes = {
  product: {
    permission: 'hardware.manage',
    log: '上传商品图片',
    shared: true,
    usedBy: [{ table: 'hardware_products', column: 'picture_id' }],
  },
  carousel: {
    permission: 'content.manage',
    log: '上传轮播图片',
    shared: true,
    usedBy: [{ table: 'content_items', column: 'picture_id' }],
  },
}
