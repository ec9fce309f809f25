import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#kit/print/edit/draft.ts'
import { LABEL_SIZE, type Label } from '#kit/print/label.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import { EditPage } from './EditPage.tsx'
import { labelsApi } from './labelsApi.tsx'
import { lastSize } from './last-size.tsx'
import { DESIGNER_PATH } from './rules.ts'

/** A new label template, or one that is there (`?id=`). */
export default function LabelDesignerPage() {
  const [asked] = usePageSearch<typeof DESIGNER_PATH>()
  const id = Number(asked.id) || null
  const navigate = useNavigate()
  /** A new one that was saved in order to be published: it has its address now. */
  const [made, setMade] = useState<number | null>(null)
  const onMade = (next: number) => {
    setMade(next)
    void navigate({ to: DESIGNER_PATH, search: { id: next }, replace: true })
  }
  const { data, isError, error, refetch, isLoading } = useQuery({
    ...labelsApi.details.query({ id: id ?? 0 }),
    enabled: id !== null,
    // What is being edited is not exchanged under one's hands; a save says who was before.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useTabName(data?.name)
  if (isError)
    return (
      <div className={look.page}>
        <h1 className={look.pageTitle}>标签设计</h1>
        <LoadFailure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (isLoading)
    return (
      <div className={look.page}>
        <h1 className={look.pageTitle}>标签设计</h1>
        <LoadingLines lines={12} />
      </div>
    )
  return data ? (
    <EditPage
      key={data.id}
      id={data.id}
      revision={data.revision}
      publishes={data.id === made}
      onMade={onMade}
      initial={{
        name: data.name,
        industryIds: data.industryIds,
        label: data.content as Label,
      }}
    />
  ) : (
    <EditPage key="new" id={null} revision={null} initial={newDraft()} publishes={false} onMade={onMade} />
  )
}

const newDraft = (): Draft => ({
  name: '',
  industryIds: [],
  label: { ...LABEL_SIZE, ...lastSize(), items: [], background: null },
})
