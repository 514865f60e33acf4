import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{An as t,Bn as n,It as r,On as i,Or as a,Qn as o,Vn as s,Xt as c,Zn as l,an as u,bi as d,ei as f,fn as p,hn as m,jt as h,mn as g,pn as _,rn as v,va as y,xa as b,xi as x,yt as S,zn as ee}from"./vendor-BdgiQt5R.js";import{n as te,r as ne,t as C}from"./DialogTitle-DDJF5sIM.js";import{t as w}from"./DialogActions-DddnDQzj.js";import{p as T,r as E}from"./listing-DSjYqzA9.js";import{A as D,P as O,u as k}from"./core-DfP0UyWz.js";var A=e(b(),1);function re(e){return n(`MuiLinearProgress`,e)}ee(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var j=y(),M=4,ie={},N=o`
  0% {
    left: -35%;
    right: 100%;
  }

  60% {
    left: 100%;
    right: -90%;
  }

  100% {
    left: 100%;
    right: -90%;
  }
`,P=typeof N==`string`?null:l`
        animation: ${N} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,F=o`
  0% {
    left: -200%;
    right: 100%;
  }

  60% {
    left: 107%;
    right: -8%;
  }

  100% {
    left: 107%;
    right: -8%;
  }
`,I=typeof F==`string`?null:l`
        animation: ${F} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,L=o`
  0% {
    opacity: 1;
    background-position: 0 -23px;
  }

  60% {
    opacity: 0;
    background-position: 0 -23px;
  }

  100% {
    opacity: 1;
    background-position: -200px -23px;
  }
`,R=typeof L==`string`?null:l`
        animation: ${L} 3s infinite linear;
      `,z=e=>{let{classes:t,variant:n,color:r}=e,a={root:[`root`,`color${p(r)}`,n],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,n===`buffer`&&`color${p(r)}`]};return i(a,re,t)},B=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),V=m(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${p(n.color)}`],t[n.variant]]}})(g(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(r()).map(([t])=>({props:{color:t},style:{backgroundColor:B(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),H=m(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(g(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(r()).map(([t])=>{let n=B(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),R||{animation:`${L} 3s infinite linear`},g(({theme:e})=>v(e,{animation:`none`})||ie)),U=m(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(g(({theme:e})=>{let t=v(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...u(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(r()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{...u(e,`transform`,{duration:`.${M}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,...u(e,`transform`,{duration:`.${M}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:P||{animation:`${N} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),W=m(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(g(({theme:e})=>{let t=v(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...u(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(r()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(r()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:B(e,t),...u(e,`transform`,{duration:`.${M}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:I||{animation:`${F} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),G=A.forwardRef(function(e,n){let r=_({props:e,name:`MuiLinearProgress`}),{className:i,color:a=`primary`,max:o,min:c,value:l,valueBuffer:u,variant:d=`indeterminate`,...f}=r,p={...r,color:a,variant:d},m=c??0,h=o??100,g=z(p),v=t(),y={},b={bar1:{},bar2:{}};if((d===`determinate`||d===`buffer`)&&l!==void 0){let e=h-m,t=(l-m)/e*100-100;v&&(t=-t),b.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,y[`aria-valuenow`]=l,y[`aria-valuemin`]=m,y[`aria-valuemax`]=h}if(d===`buffer`&&u!==void 0){let e=h-m,t=(u-m)/e*100-100;v&&(t=-t),b.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,j.jsxs)(V,{className:s(g.root,i),ownerState:p,role:`progressbar`,...y,ref:n,...f,children:[d===`buffer`?(0,j.jsx)(H,{className:g.dashed,ownerState:p}):null,(0,j.jsx)(U,{className:g.bar1,ownerState:p,style:b.bar1}),d===`determinate`?null:(0,j.jsx)(W,{className:g.bar2,ownerState:p,style:b.bar2})]})}),K=c((0,j.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),q=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e,J=e=>e===`fr`?`;`:`,`;function ae(e){let t=typeof e==`string`?q(e):String(e??``);return/[",;\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var Y=(e,t)=>`${e.map(ae).join(t)}\r\n`,X=2e4,Z=100;function Q(e){let t=J(f());return{head:`﻿`+Y(Object.keys(e),t),linesOf:n=>n.map(n=>Y(Object.values(e).map(e=>e(n)),t)).join(``)}}function $(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob(e,{type:`text/csv;charset=utf-8`})),n.download=`${t}-${new Date().toISOString().slice(0,10)}.csv`,n.click(),URL.revokeObjectURL(n.href)}function oe(e){let{resource:t,sort:n,...r}=T(),i=r.filterValues,o=a(),s=O(),c=k(),{head:l,linesOf:u}=Q(e),d=(e,r)=>o.getList(t,{pagination:{page:e,perPage:Z},sort:n,filter:i,signal:r});return async(e,n)=>{let r=[l],i=new Set,a=1/0;for(let t=1;(t-1)*Z<a;t+=1){let{data:o,total:l=0}=await d(t,n);if(n.throwIfAborted(),l>X){let[e,t]=[X,l].map(e=>e.toLocaleString(c));throw Error(s(`csv.tooMany`,{most:e,total:t}))}t===1&&(a=l);let f=o.filter(({id:e})=>!i.has(e));for(let{id:e}of f)i.add(e);r.push(u(f)),e({count:i.size,total:a})}if(i.size===0)throw Error(s(`csv.nothing`));if(i.size<a)throw Error(s(`csv.moved`));return $(r,t),i.size}}function se({columns:e}){let{resource:t}=T(),n=E(),r=O(),{head:i,linesOf:a}=Q(e);return(0,j.jsx)(S,{size:`small`,startIcon:(0,j.jsx)(K,{}),onClick:()=>$([i,a(n)],t),children:r(`csv.selected`)})}function ce({columns:e}){let t=oe(e),[n,r]=(0,A.useState)(),i=(0,A.useRef)(void 0);D(()=>n!==void 0);let a=x(),o=d(),s=O();async function c(){let{signal:e}=i.current=new AbortController;r({count:0,total:0});try{let n=await t(r,e);a(`csv.done`,{type:`success`,messageArgs:{smart_count:n}})}catch(t){e.aborted||a(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{r(void 0)}}let{count:l=0,total:u=0}=n??{};return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(S,{size:`small`,startIcon:(0,j.jsx)(K,{}),onClick:()=>void c(),children:s(`csv.button`)}),(0,j.jsxs)(ne,{open:n!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,j.jsx)(C,{id:`csv-title`,children:s(`csv.title`)}),(0,j.jsxs)(te,{children:[(0,j.jsx)(G,{"aria-labelledby":`csv-title`,variant:u>0?`determinate`:`indeterminate`,value:u>0?Math.min(100,l/u*100):void 0}),(0,j.jsx)(h,{sx:{marginTop:1},children:s(`csv.progress`,{count:l,total:u})})]}),(0,j.jsx)(w,{children:(0,j.jsx)(S,{onClick:()=>i.current?.abort(),children:o(`ra.action.cancel`)})})]})]})}export{se as n,ce as t};