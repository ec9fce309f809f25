import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { PageSteps } from '#web/list/PageSteps.tsx'
import { type ConsultationRow, Contacted, useContact } from './Contacted.tsx'
import styles from './clock.module.css'
import type { consultations } from './contract.ts'

const consultationsApi = api<typeof consultations>('consultations')
const SIZE = 10

/** Who asked to be called, ten per page, each with its mark (D1 §2). */
export default function ConsultationDialog({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...consultationsApi.list.query({ page, size: SIZE }),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog
      title="官网咨询"
      width={960}
      onClose={onClose}
      footer={
        <Link className={buttonLook()} to="/admin/operations/consultations" onClick={onClose}>
          查看全部
        </Link>
      }
    >
      {list.isError && !list.data ? (
        <div className={styles.clockNone} role="alert">
          <p>{messageOf(list.error)}</p>
          <Button onClick={() => void list.refetch()}>重试</Button>
        </div>
      ) : !list.data || list.data.rows.length === 0 ? (
        <p className={styles.clockNone}>{list.isPending ? '加载中' : '还没有官网咨询'}</p>
      ) : (
        <>
          <Rows rows={list.data.rows} />
          <PageSteps
            page={page}
            total={list.data.total}
            size={SIZE}
            onPage={setPage}
            label="官网咨询分页"
            className={styles.clockPages}
          />
        </>
      )}
    </Dialog>
  )
}

function Rows({ rows }: { rows: readonly ConsultationRow[] }) {
  const { change, busyId } = useContact()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.clockScroll} tabIndex={0} aria-label="官网咨询列表">
      <table className={styles.clockTable}>
        <thead>
          <tr>
            <th scope="col">称呼</th>
            <th scope="col">手机号码</th>
            <th scope="col" className={styles.clockMore}>
              地址
            </th>
            <th scope="col" className={styles.clockMore}>
              咨询内容
            </th>
            <th scope="col" className={styles.clockMore}>
              提交时间
            </th>
            <th scope="col" className={styles.clockMore}>
              状态
            </th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              <td data-tip-cut>{row.name}</td>
              <td>
                <PhoneNumber number={row.mobile} />
              </td>
              <td data-tip-cut className={styles.clockMore}>
                {row.address || '—'}
              </td>
              <td data-tip-cut className={styles.clockMore}>
                {row.content || '—'}
              </td>
              <td className={styles.clockMore}>
                <Instant at={row.createdAt} />
              </td>
              <td className={styles.clockMore}>
                <Contacted row={row} />
              </td>
              <td>
                <Button
                  kind="link"
                  changes
                  busy={busyId === row.id}
                  aria-label={`${row.contacted ? '撤销标记' : '标记已联系'}：${row.name}`}
                  // The second press of a double click would take the mark back.
                  onClick={event => event.detail < 2 && change(row)}
                >
                  {row.contacted ? '撤销标记' : '标记已联系'}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
