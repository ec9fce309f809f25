import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import {
  comparable,
  type Origin,
  originOf,
  PAPER_NAMES,
  type PaperName,
  proposed,
  READ_NAMES,
  type ReadName,
  type VerificationForm,
} from './rules.ts'
import { type Reading, type VerificationData, verificationApi } from './verificationApi.tsx'

type Fields = { draft: VerificationForm; change: (changed: Partial<VerificationForm>) => void }
type Found = { value: string; sure: number }

export type Readings = {
  /** Null: not read, or not this picture. */
  of: (paper: PaperName) => Reading | null
  isReading: (paper: PaperName) => boolean
  busy: boolean
  read: (paper: PaperName, documentId: number) => void
  /** What a paper says otherwise than what stands in the field. */
  offered: (name: ReadName) => Found | null
  originOf: (name: ReadName) => Origin | null
}

/** A number that is kept and not shown here is as good as one that was typed. */
const KEPT = '·'

/** What was read of the papers of a form: fills what is empty, and is offered beside what says otherwise. */
export function useReadings(data: VerificationData, form: Fields): Readings {
  const [known, setKnown] = useState<Record<number, Reading>>(() =>
    Object.fromEntries(data.papers.flatMap(({ id, reading }) => (reading ? [[id, reading]] : []))),
  )
  const [under, setUnder] = useState<readonly number[]>([])
  // An answer comes later, and fills what is empty then.
  const latest = useRef(form)
  latest.current = form
  const ask = useMutation({
    mutationFn: (documentId: number) => verificationApi.read({ documentId }),
    onMutate: documentId => setUnder(all => [...all, documentId]),
    onSettled: (_reading, _error, documentId) => setUnder(all => all.filter(id => id !== documentId)),
    onSuccess: (reading, documentId) => {
      setKnown(all => ({ ...all, [documentId]: reading }))
      const { draft, change } = latest.current
      if (!PAPER_NAMES.some(name => draft[name] === documentId)) return
      change(proposed(valuesOf(draft), textsOf(reading)).filled)
    },
    onError: error => toast.warning(messageOf(error)),
  })
  const of = (paper: PaperName) => known[form.draft[paper] ?? 0] ?? null
  const found = (name: ReadName): Found | undefined =>
    PAPER_NAMES.flatMap(paper => of(paper)?.fields ?? []).find(field => field.name === name)
  const standing = valuesOf(form.draft)
  return {
    of,
    isReading: paper => under.includes(form.draft[paper] ?? 0),
    busy: under.length > 0,
    read: (_paper, documentId) => {
      if (data.reader && !known[documentId]?.fields.length) ask.mutate(documentId)
    },
    offered(name) {
      const field = found(name)
      const value = standing[name]?.trim() ?? ''
      if (!field || value === '' || comparable(value) === comparable(field.value)) return null
      return value === KEPT && data.origins[name]?.by === 'read' ? null : field
    },
    originOf(name) {
      const value = standing[name] ?? ''
      const field = found(name)
      if (value === KEPT || (!field && isKept(data, name, value))) return data.origins[name] ?? null
      return originOf(
        value,
        field && { confidence: field.sure / 100, isSame: comparable(field.value) === comparable(value) },
      )
    },
  }
}

const isKept = (data: VerificationData, name: ReadName, value: string) =>
  name !== 'idNumber' && value !== '' && data[name] === value

function valuesOf(draft: VerificationForm): Record<ReadName, string> {
  return { ...draft, idNumber: draft.idNumber ?? KEPT }
}

function textsOf({ fields }: Reading): Partial<Record<ReadName, string>> {
  return Object.fromEntries(
    READ_NAMES.flatMap(name => {
      const value = fields.find(field => field.name === name)?.value
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
