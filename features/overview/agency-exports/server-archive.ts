// Everything of one agency as a zip archive that is written while it is read: each table as CSV and as lines of JSON, its files, its part
// of the operation log with the chain, and a signed certificate of all of it at the end.
import { createHash, type KeyObject } from 'node:crypto'
import { DOCUMENT_KINDS, type DocumentKind } from '#features/care/documents/rules.ts'
import { regionName } from '#features/office/regions/divisions.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { csvLine } from '#kit/words/csv.ts'
import type { Services } from '#server/ctx.ts'
import { type ZipPiece, zip } from '#server/documents/zip.ts'
import { readBytes } from '#server/storage/file-bytes.ts'
import { CERTIFICATE_NAME, type Entry, type Inner, type Kind, signedLine } from './server-certificate.ts'
import { CONTENTS, GROUPED, LEFT_OUT, whereOf } from './server-contents.ts'
import { csvOf, jsonOf, type Methods, type Names, openerOf } from './server-rows.ts'
import type { Snapshot } from './server-snapshot.ts'

export type Subject = {
  agentId: number
  companyName: string
  number: string
  reason: string
  /** Who has it made. */
  by: string
}

/** How far it is; `missing`: files whose bytes are gone or do not open. */
export type Counted = { rows: number; files: number; missing: number }

export type Making = {
  services: Pick<Services, 'storage' | 'secrets' | 'onProblem'>
  snapshot: Snapshot
  subject: Subject
  key: KeyObject
  counted: Counted
  /** The line that was signed, once it stands in the archive. */
  onSigned(line: string, inner: Inner): void
}

export const CHAIN_NAME = '记录/操作日志链.jsonl'
/** Rows of one file: a spreadsheet takes no more than 1,048,576. */
const FILE_ROWS = 1_000_000
const CHUNK_CHARS = 65_536
const CHAIN_PART = 2_000
const FILES_PART = 100
const BOM = '\uFEFF'

/** The archive's bytes. */
export async function* archive(making: Making): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of zip(piecesOf(making, () => ({ sha256: digest.copy().digest('hex'), bytes })))) {
    digest.update(chunk)
    bytes += chunk.length
    yield chunk
  }
}

/** Digests what goes by, file by file. */
function bookkeeping() {
  const entries: Entry[] = []
  let open: { name: string; digest: ReturnType<typeof createHash>; bytes: number } | null = null
  const close = () => {
    if (open) entries.push({ name: open.name, bytes: open.bytes, sha256: open.digest.digest('hex') })
    open = null
  }
  return {
    piece(name: string, bytes: Buffer): ZipPiece {
      if (open?.name !== name) {
        close()
        open = { name, digest: createHash('sha256'), bytes: 0 }
      }
      open.digest.update(bytes)
      open.bytes += bytes.length
      return { name, bytes }
    },
    end(): Entry[] {
      close()
      return entries
    },
  }
}
type Book = ReturnType<typeof bookkeeping>

async function* piecesOf(making: Making, before: () => Inner['before']): AsyncGenerator<ZipPiece> {
  const { subject, snapshot, counted, key, onSigned } = making
  const book = bookkeeping()
  const kinds: Kind[] = []
  yield book.piece('说明.txt', Buffer.from(BOM + introduction(subject, snapshot.at).replaceAll('\n', '\r\n')))
  const known = { methods: await methodsOf(snapshot), names: await namesOf(snapshot) }
  for (const { group, tables } of GROUPED)
    for (const table of tables) {
      const { title = table } = CONTENTS[table] ?? {}
      const rows = yield* tableFiles(making, book, { table, name: `${group}/${title}`, ...known })
      if (rows > 0) kinds.push({ title, group, rows })
    }
  yield* chainFile(snapshot, book, subject.agentId)
  yield* paperFiles(making, book)
  const entries = book.end()
  yield {
    name: CERTIFICATE_NAME,
    whole: () => {
      const { agentId, companyName, number, by, reason } = subject
      const inner: Inner = {
        form: 1,
        ...{ number, agency: { id: agentId, name: companyName }, by, reason },
        ...{ snapshotAt: snapshot.at, ...counted, kinds, entries, before: before() },
      }
      const line = signedLine(inner, key)
      onSigned(line, inner)
      return Buffer.from(line)
    },
  }
}

async function methodsOf(snapshot: Snapshot): Promise<Methods> {
  const methods = new Map<string, { key: string; label: string; secret: boolean }[]>()
  const statement = (after: string | null) =>
    `select id, fields from payment_methods where id > ${Number(after ?? 0)} order by id limit 100`
  type Row = { id: number; fields: { key: string; label: string; secret: boolean }[] }
  for await (const rows of snapshot.parts<Row>(statement, ({ id }) => String(id)))
    for (const { id, fields } of rows) methods.set(String(id), fields)
  return methods
}

/** By which columns rows are named whose own names stand elsewhere. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  versions: ['version_id', 'from_version_id', 'to_version_id'],
  services: ['service_id'],
  industries: ['industry_id'],
  payment_methods: ['payment_method_id'],
  agent_levels: ['level_id', 'from_level_id'],
  roles: ['role_id'],
  accounts: ['manager_id'],
}
const REGIONS = ['province_code', 'city_code', 'district_code']

async function namesOf(snapshot: Snapshot): Promise<Names> {
  const names = new Map<string, (cell: string) => string | undefined>()
  for (const [table, columns] of Object.entries(NAMED)) {
    const called = new Map<string, string>()
    const statement = (after: string | null) =>
      `select id::text as id, name from ${table} where id > ${Number(after ?? 0)} order by ${table}.id limit 500`
    for await (const rows of snapshot.parts<{ id: string; name: string }>(statement, ({ id }) => id))
      for (const { id, name } of rows) called.set(id, name)
    for (const column of columns) names.set(column, cell => called.get(cell))
  }
  for (const column of REGIONS) names.set(column, code => regionName(code) || undefined)
  return names
}

/** A table twice, each time read of the same moment; answers how many rows it has. One without rows has no file. */
async function* tableFiles(
  { snapshot, services, counted }: Making,
  book: Book,
  { table, name, methods, names }: { table: string; name: string; methods: Methods; names: Names },
): AsyncGenerator<ZipPiece, number> {
  const columns = await snapshot.columnsOf(table)
  const opened = openerOf(services.secrets, columns, methods)
  let total = 0
  for (const writer of [csvOf(table, columns, opened, names), jsonOf(columns, opened)]) {
    let [rows, text, file] = [0, '', '']
    for await (const batch of snapshot.rows(table)) {
      for (const cells of batch) {
        if (rows % FILE_ROWS === 0) {
          if (text) yield book.piece(file, Buffer.from(text))
          const nth = rows / FILE_ROWS
          file = `${name}${nth === 0 ? '' : `-${nth + 1}`}.${writer.extension}`
          text = writer.head
        }
        text += writer.line(cells)
        rows++
        if (text.length < CHUNK_CHARS) continue
        yield book.piece(file, Buffer.from(text))
        text = ''
      }
      if (writer.extension === 'csv') counted.rows += batch.length
    }
    if (text) yield book.piece(file, Buffer.from(text))
    total = rows
  }
  return total
}

/** What the chain was made of, so that whoever has the archive alone can verify it: server-check.ts does. */
async function* chainFile(snapshot: Snapshot, book: Book, agentId: number): AsyncGenerator<ZipPiece> {
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)
  const endOf = async (table: string, columns: string) => {
    const statement = (after: string | null) =>
      `select ${columns} from ${table} where agent_id = ${agentId} and ${after === null}`
    for await (const [row] of snapshot.parts<{ sequence: string; hash: string | null }>(
      statement,
      () => 'one',
    ))
      if (row) return row
    return { sequence: '0', hash: null }
  }
  const from = await endOf('operation_log_anchors', `sequence::text, encode(hash, 'hex') as hash`)
  yield book.piece(CHAIN_NAME, line({ from }))
  // A row of which a person was erased is no more what its link says: it is told as it was signed then, without its place.
  const links = (after: string | null) => `
    select k.sequence::text as sequence, encode(k.hash, 'hex') as hash, jsonb_build_array(
      l.id, l.agent_id, case when e.id is null then k.sequence else 0 end, l.account_id, l.account_name, l.operation, l.title, l.subject, to_jsonb(l.objects), l.merchant_id,
      l.about_agent_id, l.outcome, l.changes, l.request_id, l.ip, l.user_agent, (extract(epoch from l.created_at) * 1000)::bigint)::text as text,
      e.erasure, encode(e.signature, 'hex') as signature
    from operation_log_links k join operation_logs l on l.id = k.id and l.created_at = k.created_at
      left join operation_log_erasures e on e.id = k.id and e.created_at = k.created_at
    where k.agent_id = ${agentId} and k.sequence > ${Number(after ?? 0)} order by k.sequence limit ${CHAIN_PART}`
  type Link = { sequence: string; hash: string; text: string } & (
    | { erasure: null; signature: null }
    | { erasure: string; signature: string }
  )
  for await (const rows of snapshot.parts<Link>(links, ({ sequence }) => sequence))
    for (const { erasure, signature, ...row } of rows)
      yield book.piece(CHAIN_NAME, line(erasure === null ? row : { ...row, erasure, signature }))
  const end = await endOf(
    'operation_log_heads',
    `entry_count::text as sequence, encode(head_hash, 'hex') as hash`,
  )
  yield book.piece(CHAIN_NAME, line({ end }))
}

type PaperRow = {
  id: string
  purpose: string
  mime: string
  byte_size: number
  created_at: string
  sealed_key: Buffer | null
  plain_remains: boolean
  kind: DocumentKind | null
  merchant_id: string | null
  shop_name: string | null
}

/** Its files under names that people read, and a list of them. One at a time is held. */
async function* paperFiles(
  { snapshot, services, subject, counted }: Making,
  book: Book,
): AsyncGenerator<ZipPiece> {
  const listed: string[] = [csvLine(['文件编号', '用途', '商户', '上传时间', '字节数', '位置', '情况'])]
  const statement = (after: string | null) => `
    select r.id::text as id, r.purpose, r.mime, r.byte_size, r.sealed_key, r.plain_remains, d.kind, d.merchant_id::text as merchant_id, m.shop_name,
      to_char(r.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from files r left join lateral (select kind, merchant_id from documents where file_id = r.id order by id limit 1) d on true
      left join merchants m on m.id = d.merchant_id
    where ${whereOf('files', subject.agentId)} ${after === null ? '' : `and r.id > '${after}'`} order by r.id limit ${FILES_PART}`
  for await (const rows of snapshot.parts<PaperRow>(statement, ({ id }) => id))
    for (const row of rows) {
      const { bytes, state } = await bytesOf(services, row)
      const name = paperName(row)
      if (bytes) yield book.piece(name, bytes)
      counted[bytes ? 'files' : 'missing']++
      const shop = row.merchant_id === null ? '' : `${row.shop_name ?? ''}（${row.merchant_id}）`
      listed.push(
        csvLine([
          ...[row.id, purposeOf(row), shop, formatInstant(row.created_at), String(row.byte_size)],
          ...[bytes ? name : '', state],
        ]),
      )
    }
  yield book.piece('文件/目录.csv', Buffer.from(`${BOM}${listed.join('\r\n')}\r\n`))
}

async function bytesOf(
  services: Making['services'],
  { id, sealed_key: sealedKey, plain_remains: plainRemains }: PaperRow,
): Promise<{ bytes: Buffer | null; state: string }> {
  try {
    const bytes = await readBytes(services, { id, sealedKey, plainRemains })
    return { bytes, state: bytes ? '在压缩包内' : '文件已不存在' }
  } catch (error) {
    // The other files are taken along all the same; the list says which one is not.
    services.onProblem(error)
    return { bytes: null, state: '文件已损坏，无法打开' }
  }
}

const PURPOSES: Readonly<Record<string, string>> = {
  approval: '资料审批',
  document: '证件资料',
  feedback: '意见反馈',
  logo: '公司标志',
  ownerSignature: '店主签名',
  portrait: '员工头像',
  shopPageIcon: '商户页图标',
  shopPagePicture: '商户页图片',
  thread: '会话',
  workOrder: '工单',
}
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

const purposeOf = ({ purpose }: PaperRow) => PURPOSES[purpose] ?? '其他'

/** 文件/证件资料/2024-05-01_营业执照_张记面馆（10023）_<id>.jpg */
function paperName(row: PaperRow): string {
  const { id, kind, mime, merchant_id: shop, shop_name: shopName, created_at: at } = row
  const purpose = purposeOf(row)
  const parts = [
    formatDay(at),
    kind ? DOCUMENT_KINDS[kind] : purpose,
    ...(shop ? [`${shopName ?? ''}（${shop}）`] : []),
    id,
  ]
  const name = parts.map(plain).join('_')
  return `文件/${purpose}/${name}.${ENDINGS[mime] ?? 'bin'}`
}

/** Nothing that leads elsewhere, or that a system refuses in a name. */
const plain = (text: string) => text.replace(/[\\/:*?"<>|\p{C}]/gu, '_').slice(0, 60)

function introduction({ companyName, agentId, number, reason, by }: Subject, at: string): string {
  const there = GROUPED.map(
    ({ group, tables }) => `  ${group}：${tables.map(table => CONTENTS[table]?.title).join('、')}`,
  )
  const left = Object.keys(LEFT_OUT).map(why => `  · ${why}`)
  return `${companyName}（${agentId}）的全部数据
移交编号：${number}
数据时刻：${formatInstant(at)}（北京时间）
办理人：${by}
移交原因：${reason}

一、里面有什么
每类数据有两个文件：.csv 用表格软件打开，.jsonl 每行一条记录，供程序读取，其中是编号的地方，表格中是名称。没有记录的类别没有文件。超过一百万条的类别分为几个文件，后面的文件名带 -2、-3。
${there.join('\n')}
  文件：图片、证件等原件，按用途分文件夹；“文件/目录.csv”列出每一个文件和它的位置，已不存在的也在其中。
  记录/操作日志链.jsonl：操作日志的校验链，每行的 text 前接上一行的 hash（十六进制所表示的字节），取 SHA-256，得到本行的 hash。删除过个人信息的行另有 erasure 和 signature：hash 是删除之前的，signature 证明 text 是删除之后的内容。

二、怎么读
金额为元或代币，两位小数；短信为条数；时间为北京时间，注明 +08:00。账务明细中每个账户按序号排列，变动前余额加金额等于变动后余额，最后一笔等于账户余额。
表格中很长的数字和以 0 开头的数字后面带一个制表符，以免表格软件改变它们；.jsonl 中是原样。以等号、加号、减号、@ 开头的文字前面带一个单引号，表格软件不会当作公式。

三、没有什么
${left.join('\n')}
  · 密码、密钥及其摘要：任何人都不能查看，也不能带走
  · 身份证号、银行账号：页面上只显示部分数字，这里也一样；完整内容见证件原件
  · 其他机构的数据：只涉及对方的编号和姓名不列出
  · 厂商的公共资料：版本、价格、帮助、公告等

四、怎么核对
证明.json 由厂商签名，列出每个文件的字节数和 SHA-256，以及证明之前全部内容的 SHA-256。厂商可以用命令核对：npm run agency:export -- --check 文件.zip；任何一个字节被改动都会被发现。
`
}
