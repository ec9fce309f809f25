// Numbers that the operator has set, as if it had been done long ago: the program reads them at its next step.
import type { Setting } from '#kit/declare/settings.ts'
import type { Office } from './app.ts'

/** Null: as declared. */
export async function makeSetting(office: Office, { key }: Setting, value: number | null): Promise<void> {
  const [text, values] =
    value === null
      ? ['delete from office_settings where key = $1', [key]]
      : [
          `insert into office_settings (key, value, updated_by, updated_at) values ($1, to_jsonb($2::int), 0, now())
           on conflict (key) do update set value = excluded.value`,
          [key, value],
        ]
  await office.owner.query(text as string, values as unknown[])
  // The database's word comes, but when it likes.
  office.app.services.settings.memory.forget()
}
