// What is told on paper: to the person what is known (个人信息保护法, article 45), and what was erased.
import { and, eq, sql } from 'drizzle-orm'
import { formatInstant } from '#kit/time.ts'
import { type MadePaper, servePdf } from '#server/documents/pdf.ts'
import { objectKey } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { personErasureDownloads } from './contract.ts'
import {
  CHANNELS,
  FATES,
  type Keys,
  KIND_KEYS,
  KINDS,
  MATCHES,
  REASON_TITLES,
  REASONS,
  type Reason,
} from './rules.ts'
import { findErasure } from './server.ts'
import { type Certificate, digestOf } from './server-certificate.ts'
import { PLACES } from './server-places.ts'
import { personErasures as erasures } from './tables.ts'

export const certificateDownload = servePdf(
  personErasureDownloads.certificate,
  async (ctx, { id }): Promise<MadePaper> => {
    const { certificate } = await findErasure(ctx, { id })
    const { text, signature } = found(certificate ?? undefined)
    const told = JSON.parse(text) as Certificate
    const { person } = told
    return {
      title: '个人信息删除证明',
      facts: [
        ['证明编号', told.number],
        ['手机号', person.phone],
        ['姓名', person.name || '未提供'],
        ['身份证号', person.idNumber || '未提供'],
        ['本人提出', `${told.askedOn ?? ''} ${told.channel ? CHANNELS[told.channel] : ''}`.trim()],
        ['原因', told.reason],
        ['提交人', told.requestedBy],
        ['复核人', told.approvedBy || '无其他运营人员'],
        ['完成时间', formatInstant(told.finishedAt)],
        [
          '备份',
          told.backupsKept > 0
            ? `最近 ${told.backupsKept} 份备份中仍有，随备份到期销毁；恢复备份后须再次删除`
            : '系统没有备份',
        ],
        ['内容摘要', digestOf(text)],
        ['数字签名', signature],
      ],
      tables: [
        {
          title: '处理结果',
          columns: [
            { header: '类别', width: 3 },
            { header: '处理', width: 1 },
            { header: '条数', width: 1, align: 'right' },
            { header: '保留原因', width: 6 },
          ],
          rows: KIND_KEYS.flatMap(kind => told.kinds.filter(one => one.kind === kind)).map(one => ({
            cells: [
              KINDS[one.kind],
              FATES[one.fate],
              String(one.rows),
              one.reason ? REASON_TITLES[one.reason] : '',
            ],
          })),
          note: [
            '抹除：记录保留，其中的个人信息已不可恢复。内容摘要为 SHA-256，数字签名为 Ed25519。',
            ...reasonsOf(told.kinds),
          ].join('\n'),
        },
      ],
      logged: { subject: told.number, objects: [objectKey('erasure', id)] },
    }
  },
)

/** The person's own rows with what they say, and how many others there are. */
export const knownDownload = servePdf(
  personErasureDownloads.known,
  async (ctx, { id }): Promise<MadePaper> => {
    const data = await findErasure(ctx, { id })
    const [row] = await ctx.db
      .select({ keys: erasures.keys })
      .from(erasures)
      .where(and(eq(erasures.id, id), sql`${erasures.state} in ('found', 'asked')`))
    const keys = JSON.parse(ctx.services.secrets.decrypt(found(found(row).keys ?? undefined))) as Keys
    const chosen = data.items.filter(item => item.chosen)
    const facts: { cells: string[] }[] = []
    for (const item of chosen) {
      const place = PLACES.find(({ table }) => item.key.startsWith(`${table}:`))
      if (!place || item.rowId === null) continue
      const columns = [...place.phone, ...(place.name ?? [])]
      const { rows } = await ctx.client.query<{ said: string[] }>(
        `select array[${columns.join(', ')}]::text[] as said from ${place.table} where id = $1`,
        [item.rowId],
      )
      const said = (rows[0]?.said ?? []).filter(one => one !== '')
      facts.push({ cells: [item.what || KINDS[item.kind], whose(item), said.join('、')] })
    }
    return {
      title: '个人信息清单',
      facts: [
        ['申请编号', data.number],
        ['手机号', keys.phone],
        ['姓名', keys.name || '未提供'],
        ['身份证号', keys.idNumber || '未提供'],
        ['生成时间', formatInstant(ctx.now)],
      ],
      tables: [
        {
          title: '本人的资料',
          columns: [
            { header: '类别', width: 2 },
            { header: '保存在', width: 4 },
            { header: '内容', width: 5 },
          ],
          rows: facts,
          note: '证件图片可凭本清单在店铺的证件资料中取得。',
        },
        {
          title: '全部记录',
          columns: [
            { header: '类别', width: 3 },
            { header: '匹配', width: 2 },
            { header: '条数', width: 1, align: 'right' },
            { header: '保存原因', width: 6 },
          ],
          rows: chosen.map(item => ({
            cells: [
              item.what || KINDS[item.kind],
              item.matched.map(match => MATCHES[match]).join('、'),
              String(item.rows),
              item.reason ? REASON_TITLES[item.reason] : '为提供服务所需',
            ],
          })),
          note: reasonsOf(chosen).join('\n'),
        },
      ],
      logged: { subject: data.number, objects: [objectKey('erasure', id)] },
    }
  },
)

/** Each reason that a table names, whole. */
function reasonsOf(rows: readonly { reason: Reason | null }[]): string[] {
  const named = new Set(rows.flatMap(({ reason }) => reason ?? []))
  return [...named].map(reason => `${REASON_TITLES[reason]}：${REASONS[reason]}。`)
}

function whose({ agentName, shopName }: { agentName: string | null; shopName: string | null }): string {
  return [agentName, shopName].filter(one => one !== null).join(' ')
}
