import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { ownerPapers as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { ownerPapersRouter as router } from './server.ts'
import { SIGNATURE_FILE } from './server-guests.ts'
import { inbox } from './server-inbox.ts'
import { signatureDownload } from './server-signature.ts'

const SHOPS = '/admin/merchant/myMerchant'

export const feature = {
  contract,
  router,
  downloads: { signature: signatureDownload },
  inbox,
  jobs,
  permissions: permissionNodes([
    [1050, 22, 27, 'ownerPapers.view', '查看店主资料', `${SHOPS}#ownerPapers`, '1'],
    [1051, 22, 28, 'ownerPapers.invite', '邀请店主填写资料', `${SHOPS}#inviteOwner`, '1'],
    [1052, 22, 29, 'ownerPapers.decide', '采用或退回店主资料', `${SHOPS}#decideOwnerPapers`, '1'],
  ]),
  files: {
    [SIGNATURE_FILE]: {
      permission: 'ownerPapers.decide',
      log: '上传店主签名',
      shared: false,
      sealed: true,
      usedBy: [{ table: 'owner_papers', column: 'signature_id' }],
    },
  },
  clearing: [
    { table: 'owner_sessions', at: 'expires_at' },
    { table: 'owner_paper_parts', at: 'created_at', after: { days: 1 } },
  ],
} satisfies Feature
