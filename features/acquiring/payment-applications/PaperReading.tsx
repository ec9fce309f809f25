import { useQuery } from '@tanstack/react-query'
import { READ_LABELS, READ_PROBLEMS, READERS } from '#features/care/verification/rules.ts'
import { type Reading, verificationApi } from '#features/care/verification/verificationApi.tsx'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import styles from './applications.module.css'
import type { ApplicationData } from './applicationsApi.tsx'
import type { PaperName } from './rules.ts'

type Props = { name: PaperName; id: number | null; data: ApplicationData }

const READABLE: readonly PaperName[] = ['idFrontId', 'idBackId', 'licenceId']

/** What a licence or a card that was chosen here says, and whether it is the shop's of whom the verification data speak. */
export function PaperReading({ name, id, data }: Props) {
  const mayRead = usePermission('verification.edit')
  const isNew = id !== null && !data.papers.some(paper => paper.id === id)
  const reading = useQuery({
    queryKey: ['paymentApplications', 'reading', id],
    queryFn: () => verificationApi.read({ documentId: id ?? 0 }),
    enabled: mayRead && isNew && READABLE.includes(name),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Whoever has no reader here compares by eye.
  if (!reading.isFetching && !reading.data) return null
  return (
    <div className={styles.reading} aria-live="polite">
      {reading.data ? (
        <Told reading={reading.data} data={data} />
      ) : (
        <span className={look.quiet}>正在识别…</span>
      )}
    </div>
  )
}

function Told({ reading, data }: { reading: Reading; data: ApplicationData }) {
  const { problem, warnings, fields, reader } = reading
  const differing = fields.filter(({ name, value }) => {
    const known = name === 'idNumber' ? '' : data.identity[name]
    return known !== '' && known !== value
  })
  return (
    <>
      {problem === null && <span className={look.quiet}>{READERS[reader]}已识别</span>}
      {[...(problem ? [problem] : []), ...warnings].map(key => (
        <span key={key} className={styles.doubtful}>
          {READ_PROBLEMS[key]}
        </span>
      ))}
      {differing.map(({ name, value }) => (
        <span key={name} className={styles.doubtful}>
          {READ_LABELS[name]}识别为 {value}，与实名资料不同
        </span>
      ))}
    </>
  )
}
