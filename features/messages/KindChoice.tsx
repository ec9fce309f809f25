import { Choice, choicesOf } from '#features/merchants/FilterControls.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { MESSAGE_KINDS, type MessageKind } from './rules.ts'

/** The kind of a listed message. */
export function KindChoice() {
  const [{ kind }, setParams] = useListParams<ListParams & { kind?: MessageKind }>()
  return (
    <Choice
      label="类型"
      value={kind}
      options={choicesOf(MESSAGE_KINDS)}
      onChange={chosen => setParams({ kind: chosen })}
    />
  )
}
