import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { cleanLine } from '#kit/words/cleaned.ts'
import type { programApplications } from './contract.ts'
import { programApplicationsApi } from './programApplicationsApi.tsx'
import { askableName } from './rules.ts'

type Told = Out<typeof programApplications.checkName>
type Checked = { name: string; told: Told | null }

/** What the platform says of the name that is typed, once its field is left. An answer about another name is past. */
export function useNameCheck(
  check: (name: string) => Promise<Told> = name => programApplicationsApi.checkName({ name }),
) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const of = (typed: string) => (checked?.name === cleanLine(typed) ? checked : null)
  return {
    ask(typed: string): void {
      const name = askableName(typed)
      if (name === null || checked?.name === name) return
      setChecked({ name, told: null })
      const keep = (told: Told) => setChecked(now => (now?.name === name ? { name, told } : now))
      check(name).then(keep, () => {
        // Nobody could say; it is asked again when the field is left again.
        setChecked(now => (now?.name === name ? null : now))
      })
    },
    hintOf(typed: string, otherwise: string): string {
      const known = of(typed)
      if (known === null) return otherwise
      return known.told?.words ?? '正在校验名称…'
    },
    broken(typed: string): { field: string; message: string }[] {
      const told = of(typed)?.told
      return told?.standing === 'unavailable' ? [{ field: 'programName', message: told.words }] : []
    },
  }
}
