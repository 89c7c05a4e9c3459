import type { DocsCopy } from '../shapes.ts';

export const docs: DocsCopy = {
  title: 'Pahatid 开发文档',
  tabs: { guides: '指南', reference: 'API 参考', errors: '错误码', smpp: 'SMPP' },
  groups: { start: '开始', messages: '短信', results: '结果', smpp: 'SMPP 3.4', project: '变更' },
  bar: '文档分类',
  pages: '全部页面',
  turn: '上一页和下一页',
  contents: '本页内容',
  previous: '上一页',
  next: '下一页',
  search: '搜索文档',
  searchNone: '没有匹配的内容。',
  searchFailed: '搜索加载失败，请检查网络后重试。',
  close: '关闭',
  copy: '复制',
  copied: '已复制',
  language: '编程语言',
};
