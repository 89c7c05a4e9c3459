/** Values at the pointer are shown outside the canvas (hover-card.tsx); ECharts only locates them. */
export const hiddenTooltip = { renderMode: 'richText', showContent: false };
