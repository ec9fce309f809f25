import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { documents as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import {
  DOCUMENT_FILE,
  DOCUMENT_KB,
  DOCUMENTS_PER_SHOP,
  LEFT_KEPT_DAYS,
  REPLACED_KEPT_DAYS,
} from './rules.ts'
import { documentsRouter as router } from './server.ts'
import { certificateDownload } from './server-erase.ts'
import { inbox } from './server-inbox.ts'
import { lookDownload, takeDownload } from './server-look.ts'
import { zipDownload } from './server-zip.ts'

const SHOPS = '/admin/merchant/myMerchant'

export const feature = {
  contract,
  router,
  downloads: { look: lookDownload, take: takeDownload, zip: zipDownload, certificate: certificateDownload },
  inbox,
  permissions: permissionNodes([
    [2285, 22, 15, 'documents.view', '查看证件资料', `${SHOPS}#documents`, '1'],
    [2286, 22, 16, 'documents.keep', '上传证件资料', `${SHOPS}#keepDocument`, '1'],
    [2287, 22, 17, 'documents.take', '下载证件资料', `${SHOPS}#takeDocument`, '1'],
    [710, 2, 35, 'documents.list', '证件资料', '/admin/merchant/documents', '1'],
    [711, 22, 18, 'documents.erase', '销毁证件资料', `${SHOPS}#eraseDocument`, '1'],
  ]),
  settings: [DOCUMENT_KB, DOCUMENTS_PER_SHOP, REPLACED_KEPT_DAYS, LEFT_KEPT_DAYS],
  jobs,
  files: {
    [DOCUMENT_FILE]: {
      permission: 'documents.keep',
      log: '上传证件图片',
      shared: false,
      sealed: true,
      most: DOCUMENT_KB,
      usedBy: [{ table: 'documents', column: 'file_id' }],
    },
  },
} satisfies Feature
