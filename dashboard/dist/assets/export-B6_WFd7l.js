import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{Et as t,F as n,G as r,Ht as i,K as a,Qt as o,R as s,Tt as c,Ut as l,Vn as u,W as d,Yr as f,Zr as p,dt as m,ht as h,m as g,q as _,r as v,u as y,v as b,wt as ee,zn as te}from"./i18n-DRaeyCtr.js";import{n as ne,r as x,t as S}from"./DialogTitle-BDYRBSsx.js";import{t as C}from"./DialogActions-BTgqTJdy.js";import{N as w}from"./states-CD_Uw3W1.js";import{d as T,r as E}from"./listing-BLEmx6-D.js";import{d as D,n as O}from"./index-B7QsGpC7.js";var k=e(p(),1);function re(e){return c(`MuiLinearProgress`,e)}ee(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var A=f(),j=4,ie={},M=l`
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
`,N=typeof M==`string`?null:i`
        animation: ${M} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,P=l`
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
`,F=typeof P==`string`?null:i`
        animation: ${P} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,I=l`
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
`,L=typeof I==`string`?null:i`
        animation: ${I} 3s infinite linear;
      `,R=e=>{let{classes:t,variant:n,color:r}=e,i={root:[`root`,`color${d(r)}`,n],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,n===`buffer`&&`color${d(r)}`]};return m(i,re,t)},z=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),B=_(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${d(n.color)}`],t[n.variant]]}})(a(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(b()).map(([t])=>({props:{color:t},style:{backgroundColor:z(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),V=_(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(a(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(b()).map(([t])=>{let n=z(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),L||{animation:`${I} 3s infinite linear`},a(({theme:e})=>n(e,{animation:`none`})||ie)),H=_(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(a(({theme:e})=>{let t=n(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...s(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(b()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{...s(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,...s(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:N||{animation:`${M} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),U=_(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(a(({theme:e})=>{let t=n(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...s(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(b()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(b()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:z(e,t),...s(e,`transform`,{duration:`.${j}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:F||{animation:`${P} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),W=k.forwardRef(function(e,n){let i=r({props:e,name:`MuiLinearProgress`}),{className:a,color:o=`primary`,max:s,min:c,value:l,valueBuffer:u,variant:d=`indeterminate`,...f}=i,p={...i,color:o,variant:d},m=c??0,g=s??100,_=R(p),v=h(),y={},b={bar1:{},bar2:{}};if((d===`determinate`||d===`buffer`)&&l!==void 0){let e=g-m,t=(l-m)/e*100-100;v&&(t=-t),b.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,y[`aria-valuenow`]=l,y[`aria-valuemin`]=m,y[`aria-valuemax`]=g}if(d===`buffer`&&u!==void 0){let e=g-m,t=(u-m)/e*100-100;v&&(t=-t),b.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,A.jsxs)(B,{className:t(_.root,a),ownerState:p,role:`progressbar`,...y,ref:n,...f,children:[d===`buffer`?(0,A.jsx)(V,{className:_.dashed,ownerState:p}):null,(0,A.jsx)(H,{className:_.bar1,ownerState:p,style:b.bar1}),d===`determinate`?null:(0,A.jsx)(U,{className:_.bar2,ownerState:p,style:b.bar2})]})}),G=w((0,A.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),K=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e;function q(e){let t=typeof e==`string`?K(e):String(e??``);return/[",\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var J=e=>`${e.map(q).join(`,`)}\r\n`,Y=2e4,X=100,Z=e=>`﻿`+J(Object.keys(e)),Q=(e,t)=>e.map(e=>J(Object.values(t).map(t=>t(e)))).join(``);function $(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob(e,{type:`text/csv;charset=utf-8`})),n.download=`${t}-${new Date().toISOString().slice(0,10)}.csv`,n.click(),URL.revokeObjectURL(n.href)}function ae(e){let{resource:t,sort:n,...r}=T(),i=r.filterValues,a=o(),s=v(),c=O(),l=(e,r)=>a.getList(t,{pagination:{page:e,perPage:X},sort:n,filter:i,signal:r});return async(n,r)=>{let i=[Z(e)],a=new Set,o=1/0;for(let t=1;(t-1)*X<o;t+=1){let{data:u,total:d=0}=await l(t,r);if(r.throwIfAborted(),d>Y){let[e,t]=[Y,d].map(e=>e.toLocaleString(c));throw Error(s(`csv.tooMany`,{most:e,total:t}))}t===1&&(o=d);let f=u.filter(({id:e})=>!a.has(e));for(let{id:e}of f)a.add(e);i.push(Q(f,e)),n({count:a.size,total:o})}if(a.size===0)throw Error(s(`csv.nothing`));if(a.size<o)throw Error(s(`csv.moved`));return $(i,t),a.size}}function oe({columns:e}){let{resource:t}=T(),n=E(),r=v();return(0,A.jsx)(y,{size:`small`,startIcon:(0,A.jsx)(G,{}),onClick:()=>$([Z(e),Q(n,e)],t),children:r(`csv.selected`)})}function se({columns:e}){let t=ae(e),[n,r]=(0,k.useState)(),i=(0,k.useRef)(void 0);D(()=>n!==void 0);let a=u(),o=te(),s=v();async function c(){let{signal:e}=i.current=new AbortController;r({count:0,total:0});try{let n=await t(r,e);a(`csv.done`,{type:`success`,messageArgs:{smart_count:n}})}catch(t){e.aborted||a(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{r(void 0)}}let{count:l=0,total:d=0}=n??{};return(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(y,{size:`small`,startIcon:(0,A.jsx)(G,{}),onClick:()=>void c(),children:s(`csv.button`)}),(0,A.jsxs)(x,{open:n!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,A.jsx)(S,{id:`csv-title`,children:s(`csv.title`)}),(0,A.jsxs)(ne,{children:[(0,A.jsx)(W,{"aria-labelledby":`csv-title`,variant:d>0?`determinate`:`indeterminate`,value:d>0?Math.min(100,l/d*100):void 0}),(0,A.jsx)(g,{sx:{marginTop:1},children:s(`csv.progress`,{count:l,total:d})})]}),(0,A.jsx)(C,{children:(0,A.jsx)(y,{onClick:()=>i.current?.abort(),children:o(`ra.action.cancel`)})})]})]})}export{oe as n,se as t};