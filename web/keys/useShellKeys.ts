import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { isKept } from '../form/leave.ts'
import { useKeys } from './keys.ts'

type Keys = {
  togglePalette: () => void
  showKeys: () => void
  /** Path of the page from which this one is reached. */
  under: string | undefined
}

/** The keys of every page. */
export function useShellKeys({ togglePalette, showKeys, under }: Keys): void {
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  const goBack = () => {
    // There Esc leaves the whole screen.
    if (document.querySelector('[data-part=list][data-full]')) return
    if (isKept()) return
    if (canGoBack) router.history.back()
    else void navigate({ to: under })
  }
  useKeys('任何页面', [
    {
      press: 'Ctrl+k',
      does: '搜索页面、商户和订单',
      everywhere: true,
      act: event => {
        event.preventDefault()
        togglePalette()
      },
    },
    { press: '?', does: '查看快捷键', act: showKeys },
    { press: 'ArrowDown', does: '主菜单里的下一项；左右展开、收起分组' },
    { press: 'ArrowRight', does: '工具、标签、筛选里的下一个' },
    { press: 'Delete', does: '关闭光标所在的标签' },
    ...(under === undefined
      ? []
      : [{ press: 'Escape', does: '返回上一页；正在填写或设计时不离开', act: goBack }]),
  ])
}
