// Papers of a partner as staff have uploaded them, for tests.
import { PDF_TYPE } from '#server/files.ts'
import { writeBytes } from '#server/storage/file-bytes.ts'
import type { Office } from './app.ts'

export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')

/** A sealed upload, for the purpose of papers unless told; answers its id. */
export async function makePaperFile(
  office: Office,
  uploader: { id: number; accountId: number },
  purpose = 'partnerPaper',
) {
  const { id, sealedKey } = await writeBytes(office.app.services, PDF, { sealed: true })
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at, sealed_key)
     values ($1, $2, $7, $3, 0, 0, $4, $5, now(), $6)`,
    [id, uploader.id, PDF_TYPE, PDF.length, uploader.accountId, sealedKey, purpose],
  )
  return id
}

/** A paper of an agent; answers its id. */
export async function makePaper(
  office: Office,
  agentId: number,
  uploader: { id: number; accountId: number },
  name = '合作合同',
): Promise<number> {
  const fileId = await makePaperFile(office, uploader)
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into partner_papers (agent_id, kind, name, file_id, created_by, created_by_name, created_at)
     values ($1, 'contract', $2, $3, $4, '运营', now()) returning id`,
    [agentId, name, fileId, uploader.accountId],
  )
  return Number(rows[0]?.id)
}
