import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { refusalOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import { HELP_LIST } from './fields.ts'
import { FORM_PATH, type HelpRow, helpApi } from './helpApi.tsx'
import { HELP_PATH, HELP_REFUSALS, refuseRemoval } from './rules.ts'

const VotesDialog = lazy(() => import('./VotesDialog.tsx'))

/** What staff write for the help centre, drafts too. */
export default function ArticlesPage() {
  const navigate = useNavigate()
  const mayEdit = usePermission('help.edit')
  const [voted, setVoted] = useState<HelpRow | null>(null)
  const steps = useSteps()
  const history = useHistory()
  const edit = ({ id }: HelpRow) => void navigate({ to: FORM_PATH, search: { id } })
  const read = ({ id }: HelpRow) => void navigate({ to: HELP_PATH, search: { article: id } })
  const editing = (row: HelpRow) => {
    const refusal = refuseRemoval(row)
    return [
      { key: 'edit', label: '编辑', onClick: () => edit(row) },
      row.state === 'draft'
        ? { key: 'publish', label: '发布', onClick: () => steps.publish(row) }
        : { key: 'withdraw', label: '撤回', onClick: () => steps.withdraw(row) },
      {
        key: 'remove',
        label: '删除',
        danger: true,
        disabled: refusal && HELP_REFUSALS[refusal],
        onClick: () => steps.remove(row),
      },
    ]
  }
  return (
    <>
      <List
        of={HELP_LIST}
        from={helpApi.list}
        main={
          <Permit permission="help.edit">
            <Link className={buttonLook('primary')} to={FORM_PATH}>
              新增文章
            </Link>
          </Permit>
        }
        onOpen={row => (mayEdit ? edit(row) : read(row))}
        rowActions={row => [
          ...(mayEdit ? editing(row) : []),
          { key: 'read', label: '查看', reads: true, onClick: () => read(row) },
          { key: 'votes', label: '评价', reads: true, onClick: () => setVoted(row) },
          ...history.actionsOf({ kind: 'help', id: row.id, name: row.title }),
        ]}
        actionsWidth={136}
      />
      {history.drawer}
      <Suspense>
        {voted && <VotesDialog id={voted.id} title={voted.title} onClose={() => setVoted(null)} />}
      </Suspense>
    </>
  )
}

function useSteps() {
  const change = useMutation({
    mutationFn: ({ work }: { work: () => Promise<unknown>; done: string }) => work(),
    onSuccess: (_answer, { done }) => {
      toast.success(done)
      return reread()
    },
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
  })
  const sure = async (
    question: Parameters<typeof confirm>[0],
    work: () => Promise<unknown>,
    done: string,
  ) => {
    if (!change.isPending && (await confirm(question))) change.mutate({ work, done })
  }
  return {
    publish: ({ id }: HelpRow) =>
      change.mutate({ work: () => helpApi.setState({ id, step: 'publish' }), done: '已发布' }),
    withdraw: ({ id, title }: HelpRow) =>
      void sure(
        {
          title: `撤回「${title}」？`,
          text: '撤回后帮助中心和对应页面都看不到它，可以再次发布',
          confirmText: '撤回',
        },
        () => helpApi.setState({ id, step: 'withdraw' }),
        '已撤回',
      ),
    remove: ({ id, title }: HelpRow) =>
      void sure(
        {
          title: `删除「${title}」？`,
          text: '删除后不能恢复，它的评价和阅读记录也会删除',
          confirmText: '删除',
        },
        () => helpApi.remove({ id }),
        '删除成功',
      ),
  }
}
