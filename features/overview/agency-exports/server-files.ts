import { pipeline } from 'node:stream'
import { formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { servePdf } from '#server/documents/pdf.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { agencyExportDownloads } from './contract.ts'
import { AGENCY_EXPORT_REFUSALS, refuseFetch } from './rules.ts'
import { rowOf } from './server.ts'
import { shownOf } from './server-certificate.ts'
import { archiveKey } from './server-shelf.ts'

/** The archive, opened on its way. */
export const fileDownload = serveReadyFile(agencyExportDownloads.file, async (ctx, { id }) => {
  const row = await rowOf(ctx, id)
  const { state, expiresAt, sealedKey, companyName, agentId, byteSize } = row
  const ends = expiresAt === null ? null : Date.parse(expiresAt)
  refuse(refuseFetch(state, ends, ctx.now.getTime()), AGENCY_EXPORT_REFUSALS)
  const key = archiveKey(id, row.attempts)
  const { secrets, storage } = ctx.services
  return {
    name: `${companyName}_数据移交_${formatDay(row.createdAt)}.zip`,
    type: 'application/zip',
    rows: row.rowsWritten,
    logged: { subject: `${companyName} (${agentId})`, aboutAgentId: agentId },
    async open() {
      const { openStream } = await import('#server/backup/seal-stream.ts')
      const file = await storage.get(key)
      if (!file) throw new Refusal('FILE_GONE', AGENCY_EXPORT_REFUSALS.FILE_GONE)
      const opener = openStream(secrets.decrypt(found(sealedKey ?? undefined)), key)
      // What does not open, or stops on the way, is met by whoever reads.
      const bytes = pipeline(file.bytes, opener, () => undefined)
      return { bytes, ...(byteSize !== null && { byteSize }) }
    },
  }
})

/** What was signed, on paper. */
export const certificateDownload = servePdf(agencyExportDownloads.certificate, async (ctx, { id }) => {
  const { certificate, companyName, agentId } = await rowOf(ctx, id)
  if (certificate === null)
    throw new Refusal('CERTIFICATE_MISSING', AGENCY_EXPORT_REFUSALS.CERTIFICATE_MISSING)
  const { outer, signature, keyPrint } = shownOf(certificate)
  return {
    title: '数据移交证明',
    facts: [
      ['证明编号', outer.number],
      ['代理商', `${outer.agency.name}（${outer.agency.id}）`],
      ['数据时刻', formatInstant(outer.snapshotAt)],
      ['生成时间', formatInstant(outer.madeAt)],
      ['办理人', outer.by],
      ['移交原因', outer.reason],
      ['记录', `${formatCount(outer.rows)} 条`],
      [
        '图片与文件',
        `${formatCount(outer.files)} 个${outer.missing > 0 ? `，另有 ${formatCount(outer.missing)} 个已不存在或无法打开` : ''}`,
      ],
      ['压缩包', `${formatCount(outer.bytes)} 字节，${formatCount(outer.entries + 1)} 个文件`],
      ['压缩包摘要（SHA-256）', outer.sha256],
      ['签名（Ed25519）', signature],
      ['签名密钥（SHA-256）', keyPrint],
    ],
    tables: [
      {
        title: '记录条数',
        columns: [
          { header: '类别', width: 0.25 },
          { header: '内容', width: 0.5 },
          { header: '条数', width: 0.25, align: 'right' },
        ],
        rows: outer.kinds.map(({ group, title, rows }) => ({ cells: [group, title, formatCount(rows)] })),
        note: '压缩包内的“证明.json”列出每个文件的字节数和 SHA-256，并由同一密钥签名。核对：npm run agency:export -- --check 文件.zip',
      },
    ],
    logged: { subject: `${companyName} (${agentId})`, aboutAgentId: agentId },
  }
})
