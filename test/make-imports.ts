// Imports of shops: files are uploaded and worked through as the program does it.
import type { shopImport } from '#features/shop-import/contract.ts'
import type { Cells } from '#features/shop-import/rules.ts'
import { sampleCsv } from '#features/shop-import/sample.ts'
import { workOnImports } from '#features/shop-import/server-work.ts'
import type { In } from '#kit/op.ts'
import type { Client, Office } from './app.ts'

let accounts = 0
/** Of a shop that is to be: nobody has it. */
export const nextAccount = () => `16${String(++accounts).padStart(9, '0')}`

export async function uploadLines(
  client: Client,
  lines: readonly Cells[],
  more: Partial<In<typeof shopImport.upload>> = {},
): Promise<number> {
  const bytes = Buffer.from(sampleCsv(lines)).toString('base64')
  return (await client.shopImport.upload({ fileName: '店铺.csv', bytes, mode: 'charge', ...more })).id
}

/** Begins as it was rehearsed. */
export async function beginImport(client: Client, id: number): Promise<void> {
  const { token } = await client.shopImport.rehearse({ id })
  await client.shopImport.start({ id, token })
}

/** Works until nothing waits, so many lines at once; answers how often it did. */
export async function workThrough(office: Office, atOnce?: number): Promise<number> {
  let batches = 0
  while (await workOnImports(office.app.services, atOnce)) batches++
  return batches
}
