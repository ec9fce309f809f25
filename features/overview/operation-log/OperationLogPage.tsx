import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { LogRow, operationLog } from './contract.ts'
import { OPERATION_LOG } from './fields.ts'
import { LogEntry } from './LogEntry.tsx'

const logApi = api<typeof operationLog>('operationLog')

/** Who did what, to what, from where, and what was before and after (D3 §2). */
export default function OperationLogPage() {
  const [open, setOpen] = useState<LogRow | null>(null)
  return (
    <>
      <List
        of={OPERATION_LOG}
        from={logApi.list}
        cells={CELLS}
        options={OPTIONS}
        main={<QuickDays />}
        onOpen={setOpen}
        openKey={open?.id}
      />
      {open && (
        <Drawer title="操作详情" onClose={() => setOpen(null)}>
          <DrawerBody>
            <LogEntry row={open} />
          </DrawerBody>
        </Drawer>
      )}
    </>
  )
}

/** The days that are asked for most, by one press each; a second press asks for all again. */
function QuickDays() {
  const [{ from, to }, setParams] = useListParams(OPERATION_LOG)
  const today = formatDay(new Date())
  return [
    { label: '昨天', day: addDays(today, -1) },
    { label: '今天', day: today },
  ].map(({ label, day }) => {
    const isShown = from === day && to === day
    return (
      <Button
        key={label}
        changes={false}
        aria-pressed={isShown}
        onClick={() => setParams(isShown ? { from: undefined, to: undefined } : { from: day, to: day })}
      >
        {label}
      </Button>
    )
  })
}

const CELLS = { agentName: AGENT_CELL }

const OPTIONS = {
  accountId: {
    useRows: (enabled: boolean) => useQuery({ ...logApi.people.query(), enabled }).data?.rows,
  },
  agentId: AGENT_OPTIONS,
}
