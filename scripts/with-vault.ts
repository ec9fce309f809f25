// What the commands of backups share: where backups lie, and how they end.
import { vaultOf } from '#server/backup/backup.ts'
import type { Vault } from '#server/backup/vault.ts'
import { readSettings } from './owner-database.ts'

/** The program exits with 2 where settings are wrong or name no place for backups, with 1 where `work` fails; both say why. */
export async function withVault(work: (vault: Vault) => Promise<void>): Promise<void> {
  const complain = (error: unknown, status: number) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = status
  }
  let vault: Vault
  try {
    vault = vaultOf(readSettings())
  } catch (error) {
    return complain(error, 2)
  }
  try {
    await work(vault)
  } catch (error) {
    complain(error, 1)
  } finally {
    vault.close()
  }
}
