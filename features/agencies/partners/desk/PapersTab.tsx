import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { FileLink } from '#web/form/files/FileLink.tsx'
import type { partnerDesk } from './contract.ts'
import { Lines } from './Lines.tsx'
import type { Partner } from './PartnerHead.tsx'
import styles from './partner-desk.module.css'
import { PAPER_KINDS } from './rules.ts'

const deskApi = api<typeof partnerDesk>('partnerDesk')
const PaperDialog = lazy(() => import('./PaperDialog.tsx'))

type Paper = Out<typeof partnerDesk.papers>['rows'][number]

/** Contracts and licences of a partner. Each that is taken along stands in the log. */
export default function PapersTab({ partner }: { partner: Partner }) {
  const { id } = partner
  const papers = useQuery(deskApi.papers.query({ id }))
  const [adding, setAdding] = useState(false)
  const remove = useMutation({
    mutationFn: (paper: Paper) => deskApi.removePaper({ id, paperId: paper.id }),
    onSuccess: () => toast.success('已移除'),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const ask = async (paper: Paper) => {
    const sure = await confirm({
      title: `移除「${paper.name}」？`,
      text: '文件随后删除，不能恢复；操作日志保留记录。',
      confirmText: '移除资料',
      danger: true,
    })
    if (sure) remove.mutate(paper)
  }
  return (
    <>
      <Lines
        label="资料"
        query={papers}
        empty="还没有资料。合同、营业执照等扫描件上传后只有厂商工作人员可见"
        action={
          <Permit permission="partnerDesk.write">
            <Button changes onClick={() => setAdding(true)}>
              上传资料
            </Button>
          </Permit>
        }
        lines={papers.data?.rows.map(paper => ({
          key: paper.id,
          title: `${PAPER_KINDS[paper.kind]}：${paper.name}`,
          note: `${paper.isPdf ? 'PDF' : '图片'} ${sizeOf(paper.byteSize)} · ${paper.createdByName} ${formatInstant(paper.createdAt)}`,
          value: (
            <span className={styles.paperActions}>
              <FileLink href={`/api/agents/${id}/papers/${paper.id}/file`} rows={0} kind="link">
                下载
              </FileLink>
              <Permit permission="partnerDesk.write">
                <Button kind="link" changes aria-label={`移除 ${paper.name}`} onClick={() => void ask(paper)}>
                  移除
                </Button>
              </Permit>
            </span>
          ),
        }))}
      />
      {adding && (
        <Suspense>
          <PaperDialog agentId={id} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

const KIB = 1_024

function sizeOf(bytes: number): string {
  if (bytes < KIB * KIB) return `${Math.max(1, Math.round(bytes / KIB))} KB`
  return `${(bytes / KIB / KIB).toFixed(1)} MB`
}
