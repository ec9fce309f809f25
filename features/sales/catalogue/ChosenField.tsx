import type { ReactNode } from 'react'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import type { agents } from '#features/office/agents/contract.ts'
import { api } from '#web/client/api.ts'
import { type ControlProps, Field, type FieldProps } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { Chosen } from './Chosen.tsx'

const agentsApi = api<typeof agents>('agents')

export type Named = { id: number; name: string }
type Picked = (one: Named | undefined) => void

type Props<Name extends string> = FieldProps & {
  label: string
  form: FieldsOf<Record<Name, readonly Named[]>>
  name: Name
  /** One takes the place of another; else there may be several, each to be taken out. */
  one?: boolean
  /** Their order means something. */
  ordered?: boolean
  /** What it means that none is chosen. */
  none: string
}

/** One or several that are chosen from many, in a form. */
function ChosenField<Name extends string>({
  one = false,
  ordered,
  none,
  picker,
  ...field
}: Props<Name> & {
  picker: (control: ControlProps, value: number | undefined, prompt: string, pick: Picked) => ReactNode
}) {
  const { form, name, label } = field
  const chosen = form.draft[name]
  const set = (next: readonly Named[]) =>
    form.change({ [name]: next } as Partial<Record<Name, readonly Named[]>>)
  const add: Picked = found => {
    if (found && !chosen.some(({ id }) => id === found.id)) set([...chosen, found])
  }
  return (
    <Field {...field}>
      {control =>
        one ? (
          picker(control, chosen[0]?.id, none, found => set(found ? [found] : []))
        ) : (
          <Chosen label={`已选${label}`} chosen={chosen} onChange={set} ordered={ordered} empty={none}>
            {picker(control, undefined, `添加${label}`, add)}
          </Chosen>
        )
      }
    </Field>
  )
}

/** Chosen from a short list that is at hand. */
export function NamedField<Name extends string>({
  known,
  ...field
}: Props<Name> & { known: readonly Named[] | undefined }) {
  const chosen = field.form.draft[field.name]
  const left = known?.filter(({ id }) => field.one || !chosen.some(taken => taken.id === id))
  return (
    <ChosenField
      {...field}
      picker={(control, value, prompt, pick) => (
        <Select
          {...control}
          value={value}
          allowClear={field.one}
          options={left?.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder={left?.length === 0 ? '没有可添加的' : prompt}
          onChange={id => pick(left?.find(row => row.id === id))}
        />
      )}
    />
  )
}

/** Agents, found by number or name. */
export function AgentsField<Name extends string>(field: Props<Name>) {
  return (
    <ChosenField
      {...field}
      picker={({ id }, value, prompt, pick) => (
        <AgentPicker
          id={id}
          value={value}
          placeholder={prompt}
          onChange={async agentId => pick(agentId === undefined ? undefined : await named(agentId))}
        />
      )}
    />
  )
}

async function named(id: number): Promise<Named | undefined> {
  const { rows } = await agentsApi.options({ search: String(id) })
  const agent = rows.find(row => row.id === id)
  return agent && { id, name: agent.companyName }
}
